#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "IV.A.2.h. The Data Storage - External Data Files Message".
struct ExternalDataFilesMessage {
  static constexpr const char* kTitle = "External Data Files Message";
  static constexpr std::uint64_t kUnlimitedSize = ~std::uint64_t{0};

  struct Slot {
    std::uint64_t name_offset = 0;  ///< in the local heap
    std::uint64_t file_offset = 0;
    std::uint64_t data_size = 0;
  };

  Address heap;
  std::vector<Slot> slots;  ///< the used slots

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.version("Version", 1);
    v.reserved("Reserved", 3);
    auto used = static_cast<std::uint16_t>(s.slots.size());
    std::uint16_t allocated = used;
    v.u16("Allocated Slots", allocated);
    v.u16("Used Slots", used);
    v.check(used <= allocated, "Used Slots", "is above Allocated Slots");
    v.address("Heap Address", s.heap);
    const std::size_t width = v.file().size_of_lengths;
    v.list("Slot Definitions", s.slots, used, 3 * width, [&](V& each, auto& slot) {
      each.length("Name Offset in Local Heap", slot.name_offset);
      each.length("Offset in External Data File", slot.file_offset);
      each.length("Data Size in External File", slot.data_size);
      if (V::kDecodes && width < 8 && slot.data_size == (std::uint64_t{1} << (8 * width)) - 1)
        unlimited(slot);
    });
  }

 private:
  static void unlimited(Slot& slot) { slot.data_size = kUnlimitedSize; }
  static void unlimited(const Slot&) {}
};

}  // namespace onecast::format
