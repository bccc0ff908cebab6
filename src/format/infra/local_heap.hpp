#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

/// "III.D. Disk Format: Level 1D - Local Heaps".
struct LocalHeapHeader {
  static constexpr const char* kTitle = "Local Heap";
  /// The end of the free list, here and in the last free block, as libraries write it.
  static constexpr std::uint64_t kNoFreeBlock = 1;

  std::uint64_t data_segment_size = 0;
  std::uint64_t free_list_head = kNoFreeBlock;
  Address data_segment;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "HEAP");
    v.last_version("Version", 0);
    v.reserved("Reserved", 3);
    v.length("Data Segment Size", s.data_segment_size);
    v.length("Offset to Head of Free-list", s.free_list_head);
    v.address("Address of Data Segment", s.data_segment);
  }
};

}  // namespace onecast::format
