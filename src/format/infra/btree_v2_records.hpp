#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2.hpp"
#include "format/record.hpp"

/// The records of version 2 B-trees, one struct for each type ("III.A.2", from "Type 1 Record
/// Layout" on). kType is the B-tree's type.
namespace onecast::format {

/// Type 1.
struct HugeIndirectRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 1 Record Layout - Indirectly Accessed, Non-filtered, 'Huge' Fractal "
      "Heap "
      "Objects";
  static constexpr BTreeV2Type kType = BTreeV2Type::huge_indirect;

  Address address;
  std::uint64_t length = 0;
  std::uint64_t id = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Huge Object Address", s.address);
    v.length("Huge Object Length", s.length);
    v.length("Huge Object ID", s.id);
  }
};

/// Type 2.
struct HugeIndirectFilteredRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 2 Record Layout - Indirectly Accessed, Filtered, 'Huge' Fractal Heap "
      "Objects";
  static constexpr BTreeV2Type kType = BTreeV2Type::huge_indirect_filtered;

  Address address;
  std::uint64_t length = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t id = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Filtered Huge Object Address", s.address);
    v.length("Filtered Huge Object Length", s.length);
    v.u32("Filter Mask", s.filter_mask);
    v.length("Filtered Huge Object Memory Size", s.memory_size);
    v.length("Huge Object ID", s.id);
  }
};

/// Type 3.
struct HugeDirectRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 3 Record Layout - Directly Accessed, Non-filtered, 'Huge' Fractal "
      "Heap "
      "Objects";
  static constexpr BTreeV2Type kType = BTreeV2Type::huge_direct;

  Address address;
  std::uint64_t length = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Huge Object Address", s.address);
    v.length("Huge Object Length", s.length);
  }
};

/// Type 4.
struct HugeDirectFilteredRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 4 Record Layout - Directly Accessed, Filtered, 'Huge' Fractal Heap "
      "Objects";
  static constexpr BTreeV2Type kType = BTreeV2Type::huge_direct_filtered;

  Address address;
  std::uint64_t length = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t memory_size = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Filtered Huge Object Address", s.address);
    v.length("Filtered Huge Object Length", s.length);
    v.u32("Filter Mask", s.filter_mask);
    v.length("Filtered Huge Object Memory Size", s.memory_size);
  }
};

/// Type 5.
struct LinkNameRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 5 Record Layout - Link Name for Indexed Group";
  static constexpr BTreeV2Type kType = BTreeV2Type::link_name;
  static constexpr std::uint16_t kSize = 11;

  std::uint32_t name_hash = 0;
  ByteView heap_id;  ///< 7 bytes

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Hash of Name", s.name_hash);
    v.view("ID", s.heap_id, 7);
  }
};

/// Type 6.
struct LinkCreationOrderRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 6 Record Layout - Creation Order for Indexed Group";
  static constexpr BTreeV2Type kType = BTreeV2Type::link_creation_order;
  static constexpr std::uint16_t kSize = 15;

  std::int64_t creation_order = 0;
  ByteView heap_id;  ///< 7 bytes

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u64("Creation Order", s.creation_order);
    v.view("ID", s.heap_id, 7);
  }
};

/// Type 8.
struct AttributeNameRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 8 Record Layout - Attribute Name for Indexed Attributes";
  static constexpr BTreeV2Type kType = BTreeV2Type::attribute_name;
  static constexpr std::uint16_t kSize = 17;

  ByteView heap_id;  ///< 8 bytes
  std::uint8_t message_flags = 0;
  std::uint32_t creation_order = 0;
  std::uint32_t name_hash = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.view("Heap ID", s.heap_id, 8);
    v.u8("Message Flags", s.message_flags);
    v.u32("Creation Order", s.creation_order);
    v.u32("Hash of Name", s.name_hash);
  }
};

/// Type 9.
struct AttributeCreationOrderRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 9 Record Layout - Creation Order for Indexed Attributes";
  static constexpr BTreeV2Type kType = BTreeV2Type::attribute_creation_order;
  static constexpr std::uint16_t kSize = 13;

  ByteView heap_id;  ///< 8 bytes
  std::uint8_t message_flags = 0;
  std::uint32_t creation_order = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.view("Heap ID", s.heap_id, 8);
    v.u8("Message Flags", s.message_flags);
    v.u32("Creation Order", s.creation_order);
  }
};

/// Type 10.
struct ChunkRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 10 Record Layout - Non-filtered Dataset Chunks";
  static constexpr BTreeV2Type kType = BTreeV2Type::chunk;

  unsigned rank = 0;  ///< context: the rank of the dataset
  Address address;
  std::array<std::uint64_t, 32> scaled_offset;  ///< in chunks; the first `rank` are set

  static std::uint64_t size(const FileContext& file, unsigned rank) {
    return file.size_of_offsets + std::uint64_t{8} * rank;
  }
  [[nodiscard]] ChunkRecord context() const {
    ChunkRecord record;
    record.rank = rank;
    return record;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Address", s.address);
    for (unsigned i = 0; i < s.rank; ++i) v.u64("Dimension #n Scaled Offset", s.scaled_offset[i]);
  }
};

/// Type 11.
struct FilteredChunkRecord {
  static constexpr const char* kTitle =
      "Version 2 B-tree, Type 11 Record Layout - Filtered Dataset Chunks";
  static constexpr BTreeV2Type kType = BTreeV2Type::filtered_chunk;

  unsigned rank = 0;                 ///< context: the rank of the dataset
  std::uint8_t chunk_size_size = 0;  ///< context: bytes of the field "Chunk Size"
  Address address;
  std::uint64_t chunk_size = 0;
  std::uint32_t filter_mask = 0;
  std::array<std::uint64_t, 32> scaled_offset;  ///< in chunks; the first `rank` are set

  static std::uint64_t size(const FileContext& file, unsigned rank, std::uint8_t chunk_size_size) {
    return file.size_of_offsets + chunk_size_size + std::uint64_t{4} + std::uint64_t{8} * rank;
  }
  [[nodiscard]] FilteredChunkRecord context() const {
    FilteredChunkRecord record;
    record.rank = rank;
    record.chunk_size_size = chunk_size_size;
    return record;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("Address", s.address);
    v.uint("Chunk Size", s.chunk_size, s.chunk_size_size);
    v.u32("Filter Mask", s.filter_mask);
    for (unsigned i = 0; i < s.rank; ++i) v.u64("Dimension #n Scaled Offset", s.scaled_offset[i]);
  }
};

}  // namespace onecast::format
