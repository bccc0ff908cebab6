#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace onecast {

/// A set of numbers, stored as intervals.
class IntervalSet {
 public:
  using Intervals = std::map<std::uint64_t, std::uint64_t>;

  /// Adds [start, end), which may overlap the set.
  void add(std::uint64_t start, std::uint64_t end) {
    if (start >= end) return;
    auto next = end_of_.upper_bound(start);
    if (next != end_of_.begin() && std::prev(next)->second >= start)
      --next;
    else
      next = end_of_.emplace_hint(next, start, end);
    const auto first = next++;
    for (; next != end_of_.end() && next->first <= end; next = end_of_.erase(next))
      end = std::max(end, next->second);
    first->second = std::max(first->second, end);
  }

  /// Removes [start, end), which need not be in the set as a whole.
  void remove(std::uint64_t start, std::uint64_t end) {
    if (start >= end) return;
    for (auto at = ending_behind(start); at != end_of_.end() && at->first < end;) {
      const auto [first, last] = *at;
      at = end_of_.erase(at);
      if (first < start) end_of_.emplace(first, start);
      if (last > end) end_of_.emplace(end, last);
    }
  }

  struct Interval {
    std::uint64_t start;
    std::uint64_t end;
  };
  /// The first part of [start, end) that is in the set; [end, end) if there is none.
  [[nodiscard]] Interval next(std::uint64_t start, std::uint64_t end) const {
    const auto found = ending_behind(start);
    if (found == end_of_.end() || found->first >= end) return {end, end};
    return {std::max(found->first, start), std::min(found->second, end)};
  }

  /// True if any part of [start, end) is in the set.
  [[nodiscard]] bool overlaps(std::uint64_t start, std::uint64_t end) const {
    const auto next = end_of_.lower_bound(end);
    return start < end && next != end_of_.begin() && std::prev(next)->second > start;
  }

  /// True if all of [start, end) is in the set.
  [[nodiscard]] bool covers(std::uint64_t start, std::uint64_t end) const {
    if (start >= end) return true;
    const auto next = end_of_.upper_bound(start);
    return next != end_of_.begin() && std::prev(next)->second >= end;
  }

  [[nodiscard]] bool empty() const { return end_of_.empty(); }
  /// The smallest interval that contains the set, which must not be empty.
  [[nodiscard]] Interval bounds() const {
    return {end_of_.begin()->first, end_of_.rbegin()->second};
  }
  /// The end of each interval, by its start. Intervals do not touch.
  [[nodiscard]] const Intervals& intervals() const { return end_of_; }

 private:
  /// The first interval that ends after `start`.
  [[nodiscard]] Intervals::const_iterator ending_behind(std::uint64_t start) const {
    const auto next = end_of_.upper_bound(start);
    return next != end_of_.begin() && std::prev(next)->second > start ? std::prev(next) : next;
  }

  Intervals end_of_;
};

}  // namespace onecast
