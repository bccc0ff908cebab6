#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.hpp"

namespace onecast {

/// A contiguous range of bytes of the file.
struct FileRange {
  Address address;
  std::uint64_t size = 0;
};

/// Sorts the ranges, and joins those that overlap, touch, or lie at most `gap` bytes apart; without
/// a gap, only those that overlap.
inline void merge_ranges(std::vector<FileRange>& ranges, std::optional<std::uint64_t> gap) {
  std::sort(ranges.begin(), ranges.end(),
            [](const FileRange& a, const FileRange& b) { return a.address < b.address; });
  std::vector<FileRange> merged;
  for (const FileRange& r : ranges) {
    FileRange* last = merged.empty() ? nullptr : &merged.back();
    const std::uint64_t end = last != nullptr ? last->address.value + last->size : 0;
    if (last != nullptr && (gap ? r.address.value <= end + *gap : r.address.value < end))
      last->size = std::max(last->size, r.address.value + r.size - last->address.value);
    else
      merged.push_back(r);
  }
  ranges = std::move(merged);
}

inline std::uint64_t total_size(const std::vector<FileRange>& ranges) {
  std::uint64_t bytes = 0;
  for (const FileRange& r : ranges) bytes += r.size;
  return bytes;
}

}  // namespace onecast
