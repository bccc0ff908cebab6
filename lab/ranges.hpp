#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace onecast::lab {

// The end of all bytes that a file may have.
constexpr std::uint64_t kEof = std::numeric_limits<std::uint64_t>::max();

// Bytes [start, end).
struct Range {
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end > start ? end - start : 0; }
  bool overlaps(const Range& other) const { return start < other.end && other.start < end; }
  bool contains(const Range& other) const { return start <= other.start && other.end <= end; }
  bool operator==(const Range&) const = default;
};

// A set of bytes as disjoint ranges; adjacent ranges are merged.
class RangeSet {
 public:
  void add(Range range);
  void remove(Range range);

  bool contains(Range range) const;
  bool empty() const { return ranges_.empty(); }
  std::uint64_t size() const { return size_; }
  // The parts of `range` that are in the set, and those that are not.
  std::vector<Range> within(Range range) const;
  std::vector<Range> missing(Range range) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // start -> end
  std::uint64_t size_ = 0;
};

}  // namespace onecast::lab
