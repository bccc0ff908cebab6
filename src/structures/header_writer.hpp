#pragma once

#include <cstdint>
#include <span>

#include "base/byte_writer.hpp"
#include "base/namespaces.hpp"
#include "format/objects/object_header.hpp"
#include "format/record.hpp"

namespace onecast::structures {

/// Writes one block of a version 2 object header into a window of exactly the block's size. Space
/// that the messages leave becomes a NIL message, or a gap if it is too small for one.
class HeaderWriter {
 public:
  /// The first block. The flags give the width of its size field; the size follows
  /// from the window.
  HeaderWriter(std::span<std::byte> block, const FileContext& file,
               const ObjectHeaderProperties& properties);
  /// A continuation block.
  HeaderWriter(std::span<std::byte> block, const FileContext& file, bool with_creation_order);

  template <class R>
  void add(MessageType type, std::uint8_t flags, const R& record,
           std::uint16_t creation_order = 0) {
    // The size precedes the message, and is known only once it is written.
    ByteWriter before = out_;
    out_.skip(MessageHeaderV2::size(with_creation_order_));
    const std::size_t begin = out_.position();
    encode(out_, file_, record);
    write_start(before, type, flags, out_.position() - begin, creation_order);
  }
  void add(MessageType type, std::uint8_t flags, ByteView body, std::uint16_t creation_order = 0) {
    start(type, flags, body.size(), creation_order);
    out_.bytes(body);
  }

  /// Fills the rest and writes the checksum.
  void finish();

  /// The bytes of a block around its messages: prefix or signature, and checksum.
  static std::uint64_t overhead(const FileContext& file, const ObjectHeaderProperties& properties);
  static constexpr std::uint64_t kContinuationOverhead = 8;
  /// The most bytes that a block may leave, since they are one NIL message. The HDF5 library joins
  /// adjacent NIL messages, and the size of the joined message has 16 bits.
  static constexpr std::uint64_t kMostLeft = 0xfff8;

 private:
  void start(MessageType type, std::uint8_t flags, std::uint64_t size,
             std::uint16_t creation_order) {
    write_start(out_, type, flags, size, creation_order);
  }
  void write_start(ByteWriter& out, MessageType type, std::uint8_t flags, std::uint64_t size,
                   std::uint16_t creation_order) const;

  const FileContext& file_;
  ByteWriter out_;
  bool with_creation_order_;
};

}  // namespace onecast::structures
