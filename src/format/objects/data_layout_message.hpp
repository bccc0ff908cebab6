#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class LayoutClass : std::uint8_t {
  compact = 0,
  contiguous = 1,
  chunked = 2,
  virtual_dataset = 3
};

/// "Chunk Indexing Type". Versions before 4 have only the version 1 B-tree, which has no number.
enum class ChunkIndexType : std::uint8_t {
  btree_v1 = 0,
  single_chunk = 1,
  implicit = 2,
  fixed_array = 3,
  extensible_array = 4,
  btree_v2 = 5,
};

/// The parameters of the chunk index in layout version 4; each type uses its own.
struct ChunkIndexParameters {
  std::uint64_t filtered_size = 0;  ///< single chunk, filtered
  std::uint32_t filter_mask = 0;    ///< single chunk, filtered
  std::uint8_t max_bits = 0;        ///< extensible array, here and the next three
  std::uint8_t index_elements = 0;
  std::uint8_t min_pointers = 0;
  std::uint8_t min_elements = 0;
  std::uint8_t page_bits = 0;   ///< fixed and extensible array
  std::uint32_t node_size = 0;  ///< version 2 B-tree, here and below
  std::uint8_t split_percent = 0;
  std::uint8_t merge_percent = 0;
};

/// "IV.A.2.i. The Data Layout Message", versions 1 to 5.
struct DataLayoutMessage {
  static constexpr const char* kTitle = "Data Layout Message";
  static constexpr std::uint8_t kDontFilterPartialBoundChunks = 0x01;
  static constexpr std::uint8_t kSingleIndexWithFilter = 0x02;

  std::uint8_t version = 3;
  LayoutClass layout_class = LayoutClass::contiguous;
  std::uint8_t dimensionality =
      0;  ///< chunked: the rank plus one; the last dimension is the element size
  std::uint8_t chunk_flags = 0;
  std::uint8_t dimension_width = 0;  ///< the size of each dimension size in version 4
  ChunkIndexType index_type = ChunkIndexType::btree_v1;
  Address address;         ///< of the data, of the chunk index, or of the global heap collection
  std::uint64_t size = 0;  ///< contiguous, versions 3 and later
  ByteView compact_data;
  std::uint32_t heap_index = 0;  ///< virtual
  ChunkIndexParameters index;
  std::array<std::uint64_t, kMaxRank + 1> dimensions;  ///< the first `dimensionality` are set

  /// The smallest width for version 4's dimension sizes.
  static constexpr std::uint8_t width_for(std::uint64_t largest) {
    std::uint8_t width = 1;
    while (width < 8 && largest >> (8U * width) != 0) ++width;
    return width;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u8("Version", s.version);
    v.versions("Version", s.version, 1, 5);
    if (s.version < 3) return old_fields(v, s);
    v.u8("Layout Class", s.layout_class);
    switch (s.layout_class) {
      case LayoutClass::compact: {
        auto compact_size = static_cast<std::uint16_t>(s.compact_data.size());
        v.u16("Size", compact_size);
        v.view("Raw Data", s.compact_data, compact_size);
        break;
      }
      case LayoutClass::contiguous:
        v.address("Address", s.address);
        v.length("Size", s.size);
        break;
      case LayoutClass::chunked:
        s.version == 3 ? chunked_v3(v, s) : chunked_v4(v, s);
        break;
      case LayoutClass::virtual_dataset:
        v.check(s.version >= 4, "Layout Class", "is virtual in version 3");
        v.address("Address", s.address);
        v.u32("Index", s.heap_index);
        break;
      default:
        v.check(false, "Layout Class", "is above 3");
    }
  }

 private:
  /// Versions 1 and 2.
  template <class V, class Self>
  static void old_fields(V& v, Self& s) {
    dimensionality_field(v, s, 0);
    v.u8("Layout Class", s.layout_class);
    v.check(s.layout_class <= LayoutClass::chunked, "Layout Class", "is above 2");
    v.reserved("Reserved", 5);
    if (s.layout_class != LayoutClass::compact) v.address("Data Address", s.address);
    if (s.layout_class == LayoutClass::chunked)
      v.check(s.dimensionality >= 2, "Dimensionality", "is below 2");
    dimension_sizes(v, s, 4);
    if (s.layout_class == LayoutClass::compact) {
      auto compact_size = static_cast<std::uint32_t>(s.compact_data.size());
      v.u32("Compact Data Size", compact_size);
      v.view("Compact Data", s.compact_data, compact_size);
    }
  }

  template <class V, class Self>
  static void chunked_v3(V& v, Self& s) {
    dimensionality_field(v, s, 2);
    v.address("Address", s.address);
    dimension_sizes(v, s, 4);
  }

  template <class V, class Self>
  static void chunked_v4(V& v, Self& s) {
    v.u8("Flags", s.chunk_flags);
    v.check((s.chunk_flags & 0xfcU) == 0, "Flags", "has reserved bits set");
    dimensionality_field(v, s, 2);
    v.u8("Dimension Size Encoded Length", s.dimension_width);
    v.check(s.dimension_width >= 1 && s.dimension_width <= 8, "Dimension Size Encoded Length",
            "is not within 1 to 8");
    dimension_sizes(v, s, s.dimension_width);
    v.u8("Chunk Indexing Type", s.index_type);
    index_information(v, s);
    v.address("Address", s.address);
  }

  template <class V, class Self>
  static void index_information(V& v, Self& s) {
    switch (s.index_type) {
      case ChunkIndexType::single_chunk:
        if ((s.chunk_flags & kSingleIndexWithFilter) == 0) break;
        v.length("Size of filtered chunk", s.index.filtered_size);
        v.u32("Filters for chunk", s.index.filter_mask);
        break;
      case ChunkIndexType::implicit:
        break;
      case ChunkIndexType::fixed_array:
        v.u8("Page Bits", s.index.page_bits);
        break;
      case ChunkIndexType::extensible_array:
        v.u8("Max Bits", s.index.max_bits);
        v.u8("Index Elements", s.index.index_elements);
        v.u8("Min Pointers", s.index.min_pointers);
        v.u8("Min Elements", s.index.min_elements);
        v.u8("Page Bits", s.index.page_bits);
        break;
      case ChunkIndexType::btree_v2:
        v.u32("Node Size", s.index.node_size);
        v.u8("Split Percent", s.index.split_percent);
        v.u8("Merge Percent", s.index.merge_percent);
        break;
      default:
        v.check(false, "Chunk Indexing Type", "is not within 1 to 5");
    }
  }

  template <class V, class Self>
  static void dimensionality_field(V& v, Self& s, std::uint8_t least) {
    v.u8("Dimensionality", s.dimensionality);
    v.check(s.dimensionality >= least, "Dimensionality", "is below 2");
    v.check(s.dimensionality <= s.dimensions.size(), "Dimensionality", "is more than 33");
  }

  template <class V, class Self>
  static void dimension_sizes(V& v, Self& s, std::size_t width) {
    for (std::size_t i = 0; i < s.dimensionality; ++i) {
      v.uint("Dimension #n Size", s.dimensions[i], width);
      v.check(s.dimensions[i] != 0 || s.layout_class != LayoutClass::chunked, "Dimension #n Size",
              "is 0");
    }
  }
};

}  // namespace onecast::format
