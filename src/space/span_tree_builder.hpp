#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "base/namespaces.hpp"
#include "space/span_tree.hpp"

namespace onecast::space {

/// Builds SpanTrees. A list that equals an earlier one of its dimension is not stored again.
class SpanTreeBuilder {
 public:
  /// The most spans; more are refused with Error (invalid_argument).
  static constexpr std::uint64_t kMostSpans = std::uint64_t{1} << 24U;

  using Tree = std::shared_ptr<const SpanTree>;  ///< null: no elements

  /// All elements whose coordinates lie in the intervals of their dimension, which ascend and are
  /// apart.
  static Tree product(std::span<const std::vector<Interval>> sides);

  /// All elements in at least one of the blocks. `corners` has rank intervals for each, none empty.
  static Tree union_of(std::size_t rank, std::span<const Interval> corners);

  /// The elements at `coordinates`, rank numbers for each. `order` has the numbers of the points,
  /// in ascending order of their coordinates.
  static Tree points(std::size_t rank, std::span<const std::uint64_t> coordinates,
                     std::span<const std::size_t> order);

  /// The elements of two sets that the result contains.
  struct Rule {
    bool only_first, only_second, both;
  };
  static Tree combine(const SpanTree& a, const SpanTree& b, Rule rule);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Spans = std::vector<SpanTree::Span>;
  struct Parts;  // the state of combine()

  SpanTreeBuilder(std::size_t rank, std::uint64_t most_spans);

  /// Appends a span, or extends the last one. Does nothing if `child` is kNone.
  static void append(Spans& spans, std::uint64_t first, std::uint64_t end, std::uint32_t child);
  /// The list with these spans; kNone if there are none.
  std::uint32_t list_of(std::size_t level, Spans& spans);
  Tree finish(std::uint32_t root) const;
  std::uint32_t copy(std::size_t level, std::uint32_t list, std::vector<SpanTree::Level>& levels,
                     std::vector<std::vector<std::uint32_t>>& done) const;

  std::uint32_t union_of_some(std::size_t level, std::span<const Interval> corners,
                              std::vector<std::size_t>& blocks);
  std::uint32_t points_of_some(std::size_t level, std::span<const std::uint64_t> coordinates,
                               std::span<const std::size_t> order);
  std::uint32_t combine_lists(Parts& parts, std::size_t level, std::uint32_t a, std::uint32_t b);
  void count_work(std::uint64_t steps);

  std::size_t rank_;
  std::uint64_t left_;  ///< the number of spans that may still be made
  std::uint64_t work_;  ///< the number of steps that may still be done
  std::vector<SpanTree::Level> levels_;
  std::vector<std::unordered_multimap<std::uint64_t, std::uint32_t>> found_;  ///< lists by contents
};

}  // namespace onecast::space
