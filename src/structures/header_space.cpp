#include "structures/header_space.hpp"

#include <algorithm>

namespace onecast::structures {
namespace {

class HeaderMeter {
 public:
  HeaderMeter(MetadataSource& source, const ObjectHeader& header)
      : source_(source), header_(header) {}

  HeaderSpace measure() {
    add_block(header_.first, /*is_first=*/true);
    for (const FileRange& block : header_.continuations) add_block(block, /*is_first=*/false);
    return space_;
  }

 private:
  void add_block(const FileRange& block, bool is_first) {
    space_.total += block.size;
    const ByteView bytes = source_.view(block.address, block.size, "Object Header");
    ByteReader in(bytes, block.address, source_.file());
    if (header_.version == 1) {
      if (is_first) decode<ObjectHeaderPrefixV1>(in);
      return add_messages(in, MessageHeaderV1{});
    }
    if (is_first)
      decode<ObjectHeaderPrefixV2>(in);
    else
      decode<ObjectHeaderContinuationBlockV2>(in);
    ByteReader inside = in.sub(in.remaining() - kChecksumSize, "Messages");
    MessageHeaderV2 context;
    context.has_creation_order = header_.prefix.has_message_creation_order();
    add_messages(inside, context);
    space_.free += inside.remaining();
  }

  template <class Header>
  void add_messages(ByteReader& in, const Header& context) {
    const std::size_t header_size = encoded_size(source_.file(), context);
    while (in.remaining() >= header_size) {
      Header message = context;
      decode_into(in, message);
      in.bytes(message.data_size, "Header Message Data");
      add_message(message.type, message.flags, header_size, message.data_size);
    }
  }

  void add_message(MessageType type, unsigned flags, std::size_t header_size, std::size_t size) {
    constexpr unsigned kUnknown = 24;
    ++space_.messages;
    if (type == MessageType::nil)
      space_.free += header_size + size;
    else if (type != MessageType::continuation)
      space_.data += size;
    const std::uint64_t bit = std::uint64_t{1} << std::min(static_cast<unsigned>(type), kUnknown);
    space_.present |= bit;
    if ((flags & message_flag::kShared) != 0) space_.shared |= bit;
  }

  MetadataSource& source_;
  const ObjectHeader& header_;
  HeaderSpace space_;
};

}  // namespace

HeaderSpace header_space(MetadataSource& source, const ObjectHeader& header) {
  return HeaderMeter(source, header).measure();
}

}  // namespace onecast::structures
