#include "structures/header_writer.hpp"

#include "base/lookup3.hpp"

namespace onecast::structures {

HeaderWriter::HeaderWriter(std::span<std::byte> block, const FileContext& file,
                           const ObjectHeaderProperties& properties)
    : file_(file), out_(block), with_creation_order_(properties.has_message_creation_order()) {
  encode(out_, file, ObjectHeaderPrefixV2{properties, block.size() - overhead(file, properties)});
}

HeaderWriter::HeaderWriter(std::span<std::byte> block, const FileContext& file,
                           bool with_creation_order)
    : file_(file), out_(block), with_creation_order_(with_creation_order) {
  encode(out_, file, ObjectHeaderContinuationBlockV2{});
}

void HeaderWriter::write_start(ByteWriter& out, MessageType type, std::uint8_t flags,
                               std::uint64_t size, std::uint16_t creation_order) const {
  MessageHeaderV2 header;
  header.has_creation_order = with_creation_order_;
  header.type = type;
  header.data_size = static_cast<std::uint16_t>(size);
  header.flags = flags;
  header.creation_order = creation_order;
  encode(out, file_, header);
}

void HeaderWriter::finish() {
  const std::size_t header_size = MessageHeaderV2::size(with_creation_order_);
  if (out_.remaining() >= header_size + kChecksumSize) {
    const std::size_t size = out_.remaining() - header_size - kChecksumSize;
    start(MessageType::nil, 0, size, 0);
    out_.zeros(size);
  }
  out_.zeros(out_.remaining() - kChecksumSize);  // the gap
  out_.uint<kChecksumSize>(lookup3(ByteView(out_.window()).first(out_.position())));
}

std::uint64_t HeaderWriter::overhead(const FileContext& file,
                                     const ObjectHeaderProperties& properties) {
  return encoded_size(file, ObjectHeaderPrefixV2{properties}) + kChecksumSize;
}

}  // namespace onecast::structures
