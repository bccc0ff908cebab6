#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "IV.A.2.v. The Attribute Info Message".
struct AttributeInfoMessage {
  static constexpr const char* kTitle = "Attribute Info Message";
  static constexpr std::uint8_t kOrderTracked = 0x01;
  static constexpr std::uint8_t kOrderIndexed = 0x02;

  std::uint8_t flags = 0;
  std::uint16_t maximum_creation_index = 0;
  Address fractal_heap;  ///< undefined: the attributes are compact
  Address name_btree;
  Address creation_order_btree;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 0);
    v.u8("Flags", s.flags);
    v.check((s.flags & 0xfcU) == 0, "Flags", "has reserved bits set");
    if ((s.flags & kOrderTracked) != 0) v.u16("Maximum Creation Index", s.maximum_creation_index);
    v.address("Fractal Heap Address", s.fractal_heap);
    v.address("Attribute Name v2 B-tree Address", s.name_btree);
    if ((s.flags & kOrderIndexed) != 0)
      v.address("Attribute Creation Order v2 B-tree Address", s.creation_order_btree);
  }
};

}  // namespace onecast::format
