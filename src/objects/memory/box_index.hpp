#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::memory {

/// Finds, among many boxes, those that overlap a given one.
class BoxIndex {
 public:
  void add(Selection::Box box) { boxes_.push_back(std::move(box)); }

  /// Builds the index after the last add().
  void build() {
    if (boxes_.empty() || boxes_[0].start.empty()) return;
    along_ = dimension_with_most_starts();
    order_.resize(boxes_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return start(a) < start(b); });
    std::uint64_t end = 0;
    ends_.reserve(order_.size());
    for (const std::size_t i : order_) ends_.push_back(end = std::max(end, boxes_[i].end[along_]));
  }

  /// Returns the numbers of the boxes, ascending.
  [[nodiscard]] std::vector<std::size_t> find(std::span<const Interval> wanted) const {
    std::vector<std::size_t> found;
    if (wanted.empty()) {  // single elements have no dimensions
      found.resize(boxes_.size());
      std::iota(found.begin(), found.end(), std::size_t{0});
    }
    if (boxes_.empty() || wanted.empty()) return found;
    const auto last = std::partition_point(
        order_.begin(), order_.end(), [&](std::size_t i) { return start(i) < wanted[along_].end; });
    // All earlier boxes end before the wanted one begins.
    const auto first = std::partition_point(
        ends_.begin(), ends_.end(), [&](std::uint64_t end) { return end <= wanted[along_].first; });
    for (auto i = order_.begin() + (first - ends_.begin()); i < last; ++i)
      if (reaches_into(boxes_[*i], wanted)) found.push_back(*i);
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  [[nodiscard]] std::uint64_t start(std::size_t i) const { return boxes_[i].start[along_]; }

  static bool reaches_into(const Selection::Box& box, std::span<const Interval> wanted) {
    for (std::size_t d = 0; d < wanted.size(); ++d)
      if (box.start[d] >= wanted[d].end || box.end[d] <= wanted[d].first) return false;
    return true;
  }

  [[nodiscard]] std::size_t dimension_with_most_starts() const {
    std::size_t best = 0;
    std::ptrdiff_t most = 0;
    for (std::size_t d = 0; d < boxes_[0].start.size(); ++d) {
      std::vector<std::uint64_t> starts;
      starts.reserve(boxes_.size());
      for (const Selection::Box& box : boxes_) starts.push_back(box.start[d]);
      std::sort(starts.begin(), starts.end());
      const auto count = std::unique(starts.begin(), starts.end()) - starts.begin();
      if (count > most) {
        most = count;
        best = d;
      }
    }
    return best;
  }

  std::vector<Selection::Box> boxes_;
  std::vector<std::size_t> order_;   ///< sorted by their starts along one dimension
  std::vector<std::uint64_t> ends_;  ///< the largest end up to each position of order_
  std::size_t along_ = 0;
};

}  // namespace onecast::memory
