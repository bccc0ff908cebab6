#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "IV.A. Disk Format: Level 2A - Data Object Headers", the types of "Header Message Types".
enum class MessageType : std::uint16_t {
  nil = 0x00,
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  old_fill_value = 0x04,
  fill_value = 0x05,
  link = 0x06,
  external_data_files = 0x07,
  data_layout = 0x08,
  bogus = 0x09,
  group_info = 0x0a,
  filter_pipeline = 0x0b,
  attribute = 0x0c,
  comment = 0x0d,
  old_modification_time = 0x0e,
  shared_message_table = 0x0f,
  continuation = 0x10,
  symbol_table = 0x11,
  modification_time = 0x12,
  btree_k_values = 0x13,
  driver_info = 0x14,
  attribute_info = 0x15,
  reference_count = 0x16,
  file_space_info = 0x17,
  cache_image = 0x18,
  page_list = 0xf5,  ///< Onecast's own, see docs/reference/page-list.md
};

/// Bits of "Header Message Flags".
namespace message_flag {
inline constexpr std::uint8_t kConstant = 0x01;
inline constexpr std::uint8_t kShared = 0x02;
inline constexpr std::uint8_t kNotShareable = 0x04;
inline constexpr std::uint8_t kFailIfUnknownAndWritable = 0x08;
inline constexpr std::uint8_t kMarkIfUnknown = 0x10;
inline constexpr std::uint8_t kWasUnknown = 0x20;
inline constexpr std::uint8_t kShareable = 0x40;
inline constexpr std::uint8_t kFailIfUnknown = 0x80;
}  // namespace message_flag

/// Bits of a version 2 object header's flags.
namespace header_flag {
inline constexpr std::uint8_t kChunk0SizeMask = 0x03;
inline constexpr std::uint8_t kAttributeOrderTracked = 0x04;
inline constexpr std::uint8_t kAttributeOrderIndexed = 0x08;
inline constexpr std::uint8_t kAttributePhaseChange = 0x10;
inline constexpr std::uint8_t kTimes = 0x20;
}  // namespace header_flag

/// A version 1 header is 16 bytes. Its messages follow, each padded to a multiple of 8 bytes.
struct ObjectHeaderPrefixV1 {
  static constexpr const char* kTitle = "Version 1 Object Header";
  static constexpr std::uint8_t kVersion = 1;

  std::uint16_t message_count = 0;
  std::uint32_t reference_count = 1;
  std::uint32_t header_size = 0;  ///< the size of the messages in this first block

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.last_version("Version", kVersion);
    v.reserved("Reserved", 1);
    v.u16("Total Number of Header Messages", s.message_count);
    v.u32("Object Reference Count", s.reference_count);
    v.u32("Object Header Size", s.header_size);
    v.reserved("Alignment", 4);
  }
};

/// The information about an object in the start of a version 2 header.
struct ObjectHeaderProperties {
  std::uint32_t access_time = 0;
  std::uint32_t modification_time = 0;
  std::uint32_t change_time = 0;
  std::uint32_t birth_time = 0;
  std::uint16_t max_compact_attributes = 8;
  std::uint16_t min_dense_attributes = 6;
  std::uint8_t flags = 0;

  [[nodiscard]] bool has_message_creation_order() const {
    return (flags & header_flag::kAttributeOrderTracked) != 0;
  }
  /// The flags for the smallest "Size of Chunk #0" that holds `size`.
  static constexpr std::uint8_t chunk0_size_flags(std::uint64_t size) {
    return size < 0x100 ? 0 : size < 0x10000 ? 1 : size <= 0xffffffffU ? 2 : 3;
  }

  /// Keeps the other flags of a new header, which are about attributes.
  void set_chunk0_size_flags(std::uint64_t size) {
    flags = static_cast<std::uint8_t>((flags & ~unsigned{header_flag::kChunk0SizeMask}) |
                                      chunk0_size_flags(size));
  }
};

/// The start of a version 2 header. The messages, a gap smaller than a message header, and a
/// lookup3 checksum of everything from the signature on follow.
struct ObjectHeaderPrefixV2 : ObjectHeaderProperties {
  static constexpr const char* kTitle = "Version 2 Object Header";
  static constexpr std::string_view kSignature = "OHDR";

  std::uint64_t chunk0_size = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", kSignature);
    v.version("Version", 2);
    v.u8("Flags", s.flags);
    v.require((s.flags & 0xc0U) == 0, "Flags", "reserved bits 6 and 7");
    if ((s.flags & header_flag::kTimes) != 0) {
      v.u32("Access Time", s.access_time);
      v.u32("Modification Time", s.modification_time);
      v.u32("Change Time", s.change_time);
      v.u32("Birth Time", s.birth_time);
    }
    if ((s.flags & header_flag::kAttributePhaseChange) != 0) {
      v.u16("Maximum # of compact attributes", s.max_compact_attributes);
      v.u16("Minimum # of dense attributes", s.min_dense_attributes);
    }
    v.uint("Size of Chunk #0", s.chunk0_size,
           std::size_t{1} << (s.flags & header_flag::kChunk0SizeMask));
  }
};

/// The start of a version 2 continuation block; messages, gap and checksum follow as in the header.
/// A version 1 continuation block has neither signature nor checksum.
struct ObjectHeaderContinuationBlockV2 {
  static constexpr const char* kTitle = "Version 2 Object Header Continuation Block";
  static constexpr std::string_view kSignature = "OCHK";

  template <class V, class Self>
  static void fields(V& v, Self&) {
    v.signature("Signature", kSignature);
  }
};

struct MessageHeaderV1 {
  static constexpr const char* kTitle = "Version 1 Header Message";
  static constexpr std::size_t kSize = 8;

  MessageType type = MessageType::nil;
  std::uint16_t data_size = 0;
  std::uint8_t flags = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u16("Header Message Type", s.type);
    v.u16("Size of Header Message Data", s.data_size);
    v.u8("Header Message Flags", s.flags);
    v.reserved("Reserved", 3);
  }
};

struct MessageHeaderV2 {
  static constexpr const char* kTitle = "Version 2 Header Message";

  bool has_creation_order = false;  ///< context: the header's has_message_creation_order()
  MessageType type = MessageType::nil;
  std::uint16_t data_size = 0;
  std::uint8_t flags = 0;
  std::uint16_t creation_order = 0;

  [[nodiscard]] MessageHeaderV2 context() const {
    MessageHeaderV2 c;
    c.has_creation_order = has_creation_order;
    return c;
  }
  static constexpr std::size_t size(bool with_creation_order) {
    return with_creation_order ? 6 : 4;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Header Message Type", s.type);
    v.u16("Size of Header Message Data", s.data_size);
    v.u8("Header Message Flags", s.flags);
    if (s.has_creation_order) v.u16("Header Message Creation Order", s.creation_order);
  }
};

}  // namespace onecast::format
