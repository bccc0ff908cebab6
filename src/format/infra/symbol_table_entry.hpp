#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class SymbolCacheType : std::uint32_t { none = 0, group = 1, soft_link = 2 };

/// "III.C. Disk Format: Level 1C - Symbol Table Entry": 40 bytes with 8-byte offsets and lengths.
struct SymbolTableEntry {
  static constexpr const char* kTitle = "Symbol Table Entry";
  static constexpr std::size_t kScratchSize = 16;

  std::uint64_t link_name_offset = 0;  ///< in the group's local heap
  Address object_header;               ///< undefined for a soft link
  SymbolCacheType cache_type = SymbolCacheType::none;
  Address btree;                        ///< for a group: the copy in the scratch-pad
  Address name_heap;                    ///< for a group
  std::uint32_t link_value_offset = 0;  ///< for a soft link: in the group's local heap

  static std::size_t size(const FileContext& file) {
    return std::size_t{file.size_of_lengths} + file.size_of_offsets + 8 + kScratchSize;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    // The specification gives this field the size of offsets; every HDF5 library uses lengths.
    v.length("Link Name Offset", s.link_name_offset);
    v.address("Object Header Address", s.object_header);
    v.u32("Cache Type", s.cache_type);
    v.check(s.cache_type <= SymbolCacheType::soft_link, "Cache Type", "is above 2");
    v.reserved("Reserved", 4);
    std::size_t used = 0;
    if (s.cache_type == SymbolCacheType::group) {
      v.address("Address of B-tree", s.btree);
      v.address("Address of Name Heap", s.name_heap);
      used = 2 * std::size_t{v.file().size_of_offsets};
    } else if (s.cache_type == SymbolCacheType::soft_link) {
      v.u32("Offset to Link Value", s.link_value_offset);
      used = 4;
    }
    v.reserved("Scratch-pad Space", kScratchSize - used);
  }
};

}  // namespace onecast::format
