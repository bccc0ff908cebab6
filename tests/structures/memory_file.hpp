#pragma once

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/boot/superblock.hpp"
#include "format/objects/object_header.hpp"
#include "format/objects/object_messages.hpp"
#include "onecast/base/error.hpp"
#include "structures/metadata_source.hpp"
#include "structures/read_record.hpp"

/// A file in memory and the little that finds a structure in it: superblock, object headers.
namespace onecast {

class MemoryFile : public MetadataSource {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes, FileContext file = {"memory.h5", 8, 8})
      : bytes_(std::move(bytes)), file_(std::move(file)) {}

  static std::vector<std::byte> read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
  }

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    if (address.value > bytes_.size() || length > bytes_.size() - address.value)
      throw Error(ErrorCode::format, fmt::format("{}: address {:#x}: {}: {} bytes are outside the file",
                                                 file_.name, address.value, what, length));
    ++views;
    return ByteView(bytes_).subspan(static_cast<std::size_t>(address.value),
                                    static_cast<std::size_t>(length));
  }
  [[nodiscard]] const FileContext& file() const override { return file_; }

  Superblock superblock() {
    const std::size_t size = std::min(bytes_.size(), kMaxSuperblockSize);
    return decode_superblock(view(Address{0}, size, "Superblock"), Address{0}, file_);
  }

  std::size_t views = 0;

 private:
  std::vector<std::byte> bytes_;
  FileContext file_;
};

struct FoundMessage {
  MessageType type;
  ByteView data;
  Address where;
};

/// All messages of an object header, continuation blocks included.
inline std::vector<FoundMessage> messages_of(MetadataSource& source, Address header) {
  struct Block {
    Address at;
    std::uint64_t size;
  };
  const FileContext& file = source.file();
  std::vector<FoundMessage> found;
  std::vector<Block> blocks;
  const bool old = std::to_integer<int>(source.view(header, 1, "header")[0]) == 1;
  std::size_t creation_order_size = 0;
  if (old) {
    const auto prefix = decode<ObjectHeaderPrefixV1>(source.view(header, 16, "header"), header, file);
    blocks.push_back({header + 16, prefix.header_size});
  } else {
    ByteReader in(source.view(header, 12, "header"), header, file);
    const auto prefix = decode<ObjectHeaderPrefixV2>(in);
    blocks.push_back({header + in.position(), prefix.chunk0_size});
    if (prefix.has_message_creation_order()) creation_order_size = 2;
  }
  for (std::size_t b = 0; b < blocks.size() && b < 100; ++b) {
    ByteReader in(source.view(blocks[b].at, blocks[b].size, "messages"), blocks[b].at, file);
    while (in.remaining() >= (old ? 8 : 4 + creation_order_size)) {
      const auto type = static_cast<MessageType>(in.uint(old ? 2 : 1, "type"));
      const std::uint64_t size = in.uint(2, "size");
      in.bytes(old ? 4 : 1 + creation_order_size, "flags");
      const Address where = in.address();
      const ByteView data = in.bytes(size, "data");
      found.push_back({type, data, where});
      if (type != MessageType::continuation) continue;
      const auto next = decode<ContinuationMessage>(data, where, file);
      blocks.push_back(old ? Block{next.offset, next.length} : Block{next.offset + 4, next.length - 8});
    }
  }
  return found;
}

/// The one message of a type.
template <class M>
M message_of(MetadataSource& source, Address header, MessageType type) {
  for (const FoundMessage& message : messages_of(source, header))
    if (message.type == type) return decode<M>(message.data, message.where, source.file());
  throw Error(ErrorCode::not_found, fmt::format("no message of type {}", static_cast<int>(type)));
}

}  // namespace onecast
