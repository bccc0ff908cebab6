#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::space {

/// A set of elements of an array, of any form. The slowest dimension has a list of intervals,
/// ascending and apart; each leads to the list of the next dimension that all its coordinates
/// share. Equal lists exist once, so a regular set takes as much memory as its sides, and equal
/// sets are equal trees. Never empty.
class SpanTree {
 public:
  struct Span {
    std::uint64_t first, end;
    std::uint64_t before;  ///< the elements of the spans before it in its list
    std::uint32_t child;   ///< the list of the next level; 0 on the last level
    bool operator==(const Span&) const = default;
  };
  struct List {
    std::uint64_t begin, end;  ///< in the level's spans
    std::uint64_t count;       ///< the number of elements
    bool operator==(const List&) const = default;
  };
  struct Level {
    std::vector<Span> spans;
    std::vector<List> lists;
    bool operator==(const Level&) const = default;
  };

  explicit SpanTree(std::vector<Level> levels) : levels_(std::move(levels)) {}

  [[nodiscard]] std::size_t rank() const { return levels_.size(); }
  [[nodiscard]] std::uint64_t element_count() const { return levels_[0].lists[0].count; }
  [[nodiscard]] const Level& level(std::size_t d) const { return levels_[d]; }
  /// The spans of one list. Level 0 has one list, the root.
  [[nodiscard]] std::span<const Span> spans(std::size_t d, std::uint32_t list) const {
    const List& l = levels_[d].lists[list];
    return std::span(levels_[d].spans).subspan(l.begin, l.end - l.begin);
  }
  /// The number of elements below one coordinate of the span.
  [[nodiscard]] std::uint64_t below(std::size_t d, const Span& span) const {
    return d + 1 == rank() ? 1 : levels_[d + 1].lists[span.child].count;
  }
  /// The spans of a list with coordinates in [first, end).
  [[nodiscard]] std::span<const Span> spans_in(std::size_t d, std::uint32_t list,
                                               std::uint64_t first, std::uint64_t end) const;

  /// The smallest interval of each dimension that contains all elements.
  [[nodiscard]] std::vector<Interval> bounding_box() const;

  /// Calls each(span of `rank()` Intervals) for boxes that do not overlap, in the order of their
  /// first elements along the slowest dimensions.
  template <class F>
  void for_each_block(F&& each) const {
    std::vector<Interval> box(rank());
    blocks(0, 0, box, each);
  }

  bool operator==(const SpanTree&) const = default;

 private:
  template <class F>
  void blocks(std::size_t d, std::uint32_t list, std::vector<Interval>& box, F& each) const {
    for (const Span& span : spans(d, list)) {
      box[d] = {span.first, span.end};
      if (d + 1 == rank()) {
        each(std::span<const Interval>(box));
      } else {
        blocks(d + 1, span.child, box, each);
      }
    }
  }

  std::vector<Level> levels_;
};

}  // namespace onecast::space
