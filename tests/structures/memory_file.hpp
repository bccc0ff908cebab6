#pragma once

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "format/boot/superblock.hpp"
#include "onecast/base/error.hpp"
#include "structures/metadata_source.hpp"
#include "structures/object_header.hpp"

/// A file in memory, and functions that find a structure in it
namespace onecast::structures {

/// Addresses and lengths have 8 bytes.
inline const FileContext kFile{"memory.h5", 8, 8};

class MemoryFile : public MetadataSource {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes, FileContext file = kFile)
      : bytes_(std::move(bytes)), file_(std::move(file)) {}

  static std::vector<std::byte> read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
  }

  ByteView view(Address address, std::uint64_t length, const char* what) override {
    if (address.value > bytes_.size() || length > bytes_.size() - address.value)
      throw Error(ErrorCode::format,
                  fmt::format("{}: address {:#x}: {}: {} bytes are outside the file", file_.name,
                              address.value, what, length));
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

/// Returns the only message of a type.
template <class M>
M message_of(MetadataSource& source, Address header, MessageType type) {
  const ObjectHeader object = read_object_header(source, header);
  const HeaderMessage* message = object.find(type);
  if (message == nullptr)
    throw Error(ErrorCode::not_found, fmt::format("no message of type {}", static_cast<int>(type)));
  return decode<M>(message->data, message->address, source.file());
}

}  // namespace onecast::structures
