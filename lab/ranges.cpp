#include "ranges.hpp"

#include <algorithm>

namespace onecast::lab {

void RangeSet::add(Range range) {
  if (range.size() == 0) return;
  auto next = ranges_.upper_bound(range.start);
  if (next != ranges_.begin() && std::prev(next)->second >= range.start) --next;
  while (next != ranges_.end() && next->first <= range.end) {
    range.start = std::min(range.start, next->first);
    range.end = std::max(range.end, next->second);
    size_ -= next->second - next->first;
    next = ranges_.erase(next);
  }
  ranges_[range.start] = range.end;
  size_ += range.size();
}

void RangeSet::remove(Range range) {
  for (const Range& part : within(range)) {
    auto whole = std::prev(ranges_.upper_bound(part.start));
    const Range old{whole->first, whole->second};
    ranges_.erase(whole);
    if (old.start < part.start) ranges_[old.start] = part.start;
    if (part.end < old.end) ranges_[part.end] = old.end;
    size_ -= part.size();
  }
}

bool RangeSet::contains(Range range) const {
  auto next = ranges_.upper_bound(range.start);
  return range.size() == 0 || (next != ranges_.begin() && std::prev(next)->second >= range.end);
}

std::vector<Range> RangeSet::within(Range range) const {
  std::vector<Range> parts;
  auto next = ranges_.upper_bound(range.start);
  if (next != ranges_.begin()) --next;
  for (; next != ranges_.end() && next->first < range.end; ++next) {
    const Range part{std::max(range.start, next->first), std::min(range.end, next->second)};
    if (part.size() > 0) parts.push_back(part);
  }
  return parts;
}

std::vector<Range> RangeSet::missing(Range range) const {
  std::vector<Range> parts;
  std::uint64_t at = range.start;
  for (const Range& present : within(range)) {
    if (at < present.start) parts.push_back({at, present.start});
    at = present.end;
  }
  if (at < range.end) parts.push_back({at, range.end});
  return parts;
}

}  // namespace onecast::lab
