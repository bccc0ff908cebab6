#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.G. Disk Format: Level 1G - Fractal Heap".
struct FractalHeapHeader {
  static constexpr const char* kTitle = "Fractal Heap Header";
  static constexpr std::uint8_t kHugeIdsWrapped = 0x01;
  static constexpr std::uint8_t kChecksummedBlocks = 0x02;

  std::uint16_t heap_id_length = 0;
  std::uint16_t filters_length = 0;
  std::uint8_t flags = 0;
  std::uint32_t max_managed_object_size = 0;
  std::uint64_t next_huge_id = 0;  ///< libraries store the last ID that was used
  Address huge_btree;
  std::uint64_t free_space = 0;
  Address free_space_manager;
  std::uint64_t managed_space = 0;
  std::uint64_t allocated_managed_space = 0;
  std::uint64_t iterator_offset = 0;
  std::uint64_t managed_object_count = 0;
  std::uint64_t huge_object_size = 0;
  std::uint64_t huge_object_count = 0;
  std::uint64_t tiny_object_size = 0;
  std::uint64_t tiny_object_count = 0;
  std::uint16_t table_width = 0;
  std::uint64_t starting_block_size = 0;
  std::uint64_t max_direct_block_size = 0;
  std::uint16_t max_heap_bits = 0;
  std::uint16_t starting_root_rows = 0;
  Address root_block;
  std::uint16_t current_root_rows = 0;
  std::uint64_t filtered_root_block_size = 0;
  std::uint32_t filter_mask = 0;
  ByteView filters;  ///< a Filter Pipeline message

  [[nodiscard]] bool is_filtered() const { return filters_length != 0; }
  [[nodiscard]] bool has_checksummed_blocks() const { return (flags & kChecksummedBlocks) != 0; }
  static std::uint64_t size(const FileContext& file, std::uint16_t filters_length) {
    const std::uint64_t base = 26 + 3U * file.size_of_offsets + 12U * file.size_of_lengths;
    return filters_length == 0 ? base : base + file.size_of_lengths + 4 + filters_length;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    prefix(v, s);
    v.u8("Flags", s.flags);
    v.u32("Maximum Size of Managed Objects", s.max_managed_object_size);
    v.length("Next Huge Object ID", s.next_huge_id);
    v.address("v2 B-tree Address of Huge Objects", s.huge_btree);
    v.length("Amount of Free Space in Managed Blocks", s.free_space);
    v.address("Address of Managed Block Free Space Manager", s.free_space_manager);
    v.length("Amount of Managed Space in Heap", s.managed_space);
    v.length("Amount of Allocated Managed Space in Heap", s.allocated_managed_space);
    v.length("Offset of Direct Block Allocation Iterator in Managed Space", s.iterator_offset);
    v.length("Number of Managed Objects in Heap", s.managed_object_count);
    v.length("Size of Huge Objects in Heap", s.huge_object_size);
    v.length("Number of Huge Objects in Heap", s.huge_object_count);
    v.length("Size of Tiny Objects in Heap", s.tiny_object_size);
    v.length("Number of Tiny Objects in Heap", s.tiny_object_count);
    v.u16("Table Width", s.table_width);
    v.length("Starting Block Size", s.starting_block_size);
    v.length("Maximum Direct Block Size", s.max_direct_block_size);
    v.u16("Maximum Heap Size", s.max_heap_bits);
    v.u16("Starting # of Rows in Root Indirect Block", s.starting_root_rows);
    v.address("Address of Root Block", s.root_block);
    v.u16("Current # of Rows in Root Indirect Block", s.current_root_rows);
    if (s.is_filtered()) {
      v.length("Size of Filtered Root Direct Block", s.filtered_root_block_size);
      v.u32("I/O Filter Mask", s.filter_mask);
      v.view("I/O Filter Information", s.filters, s.filters_length);
    }
    v.checksum("Checksum");
  }

  /// The first rows, which give the length of the header.
  static constexpr std::uint64_t kPrefixSize = 9;
  template <class V, class Self>
  static void prefix(V& v, Self& s) {
    v.signature("Signature", "FRHP");
    v.version("Version", 0);
    v.u16("Heap ID Length", s.heap_id_length);
    v.u16("I/O Filters' Encoded Length", s.filters_length);
  }
};

/// A direct block. Its checksum covers the whole block with the checksum itself as zero, so it is
/// not one of the visitors' checksums; see direct_block_checksum() in structures/fractal_heap.hpp.
struct FractalHeapDirectBlock {
  static constexpr const char* kTitle = "Fractal Heap Direct Block";
  static constexpr bool kOpenEnded = true;

  std::uint8_t offset_size = 0;  ///< context: bytes of the field "Block Offset"
  bool checksummed = false;      ///< context
  Address heap_header;
  std::uint64_t block_offset = 0;
  std::uint32_t checksum = 0;
  ByteView object_data;  ///< the rest of the block

  [[nodiscard]] FractalHeapDirectBlock context() const {
    FractalHeapDirectBlock block;
    block.offset_size = offset_size;
    block.checksummed = checksummed;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FHDB");
    v.version("Version", 0);
    v.address("Heap Header Address", s.heap_header);
    v.uint("Block Offset", s.block_offset, s.offset_size);
    if (s.checksummed) v.u32("Checksum", s.checksum);
    v.view("Object Data", s.object_data, v.remaining());
  }
};

/// An indirect block: table width times rows child addresses. With I/O filters, each address of a
/// direct block is followed by its filtered size and its filter mask; direct blocks come first.
struct FractalHeapIndirectBlock {
  static constexpr const char* kTitle = "Fractal Heap Indirect Block";

  struct Filtered {
    std::uint64_t size = 0;  ///< bytes in the file
    std::uint32_t filter_mask = 0;
  };

  std::uint8_t offset_size = 0;      ///< context: bytes of the field "Block Offset"
  std::uint64_t child_count = 0;     ///< context
  std::uint64_t filtered_count = 0;  ///< context: children that are direct blocks with I/O filters
  Address heap_header;
  std::uint64_t block_offset = 0;
  std::vector<Address> children;
  std::vector<Filtered> filtered;  ///< for the first `filtered_count` children

  static std::uint64_t size(const FileContext& file, std::uint8_t offset_size,
                            std::uint64_t child_count, std::uint64_t filtered_count = 0) {
    return 9 + std::uint64_t{file.size_of_offsets} + offset_size +
           child_count * file.size_of_offsets + filtered_count * (file.size_of_lengths + 4U);
  }
  [[nodiscard]] FractalHeapIndirectBlock context() const {
    FractalHeapIndirectBlock block;
    block.offset_size = offset_size;
    block.child_count = child_count;
    block.filtered_count = filtered_count;
    return block;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "FHIB");
    v.version("Version", 0);
    v.address("Heap Header Address", s.heap_header);
    v.uint("Block Offset", s.block_offset, s.offset_size);
    std::size_t index = 0;
    v.list("Child Blocks", s.children, s.child_count, v.file().size_of_offsets,
           [&](auto& visitor, auto& child) {
             visitor.address("Child Block Address", child);
             if (index == s.filtered_count) return;
             if constexpr (V::kDecodes) s.filtered.emplace_back();
             visitor.length("Size of Filtered Direct Block", s.filtered[index].size);
             visitor.u32("Filter Mask for Direct Block", s.filtered[index].filter_mask);
             ++index;
           });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
