#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "IV.A.2.c. The Link Info Message".
struct LinkInfoMessage {
  static constexpr const char* kTitle = "Link Info Message";
  static constexpr std::uint8_t kOrderTracked = 0x01;
  static constexpr std::uint8_t kOrderIndexed = 0x02;

  std::uint8_t flags = 0;
  std::uint64_t maximum_creation_index = 0;
  Address fractal_heap;  ///< undefined: the links are compact
  Address name_btree;
  Address creation_order_btree;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u8("Flags", s.flags);
    v.check((s.flags & 0xfcU) == 0, "Flags", "has reserved bits set");
    if ((s.flags & kOrderTracked) != 0) v.u64("Maximum Creation Index", s.maximum_creation_index);
    v.address("Fractal Heap Address", s.fractal_heap);
    v.address("Address of v2 B-tree for Name Index", s.name_btree);
    if ((s.flags & kOrderIndexed) != 0)
      v.address("Address of v2 B-tree for Creation Order Index", s.creation_order_btree);
  }
};

/// "IV.A.2.k. The Group Info Message".
struct GroupInfoMessage {
  static constexpr const char* kTitle = "Group Info Message";
  static constexpr std::uint8_t kHasPhaseChange = 0x01;
  static constexpr std::uint8_t kHasEstimates = 0x02;

  std::uint8_t flags = 0;
  std::uint16_t max_compact_links = 8;
  std::uint16_t min_dense_links = 6;
  std::uint16_t estimated_entries = 4;
  std::uint16_t estimated_name_length = 8;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u8("Flags", s.flags);
    v.check((s.flags & 0xfcU) == 0, "Flags", "has reserved bits set");
    if ((s.flags & kHasPhaseChange) != 0) {
      v.u16("Link Phase Change: Maximum Compact Value", s.max_compact_links);
      v.u16("Link Phase Change: Minimum Dense Value", s.min_dense_links);
    }
    if ((s.flags & kHasEstimates) != 0) {
      v.u16("Estimated Number of Entries", s.estimated_entries);
      v.u16("Estimated Link Name Length of Entries", s.estimated_name_length);
    }
  }
};

/// "IV.A.2.r. The Symbol Table Message".
struct SymbolTableMessage {
  static constexpr const char* kTitle = "Symbol Table Message";

  Address btree;
  Address local_heap;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.address("v1 B-tree Address", s.btree);
    v.address("Local Heap Address", s.local_heap);
  }
};

}  // namespace onecast::format
