#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "onecast/space/selection.hpp"
#include "space/hyperslab.hpp"
#include "space/span_tree.hpp"

namespace onecast::space {

/// A selection that was checked against an array: the set of its elements, in C order. It can be
/// walked by runs, or by the cells of a grid, such as chunks, and the runs in each.
///
/// A regular selection is the product of one sequence of coordinates for each dimension; the
/// functions that require is_regular() describe it. Points are the set of their elements, and
/// positions() gives the order of the points.
class BoundSelection {
 public:
  /// Throws Error (invalid_argument), after `where`, if the selection has another rank, lies
  /// outside of the array, or has overlapping blocks.
  BoundSelection(const Dataspace& space, const Selection& selection, const Where& where);

  /// Selects everything. Allocates no memory.
  explicit BoundSelection(const Dataspace& space);

  [[nodiscard]] std::uint64_t element_count() const { return count_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] bool is_regular() const { return tree_ == nullptr; }

  /// The number of each point's element in the set, if points are not in C order or not unique.
  /// Empty if the points are the elements in order.
  [[nodiscard]] const std::vector<std::uint64_t>& positions() const { return positions_; }
  /// The number of elements in the caller's memory: each point counts as often as it was given.
  [[nodiscard]] std::uint64_t given_count() const {
    return positions_.empty() ? count_ : positions_.size();
  }

  /// The smallest interval of each dimension that contains all elements. The selection must not be
  /// empty.
  [[nodiscard]] std::vector<Interval> bounding_box() const;

  /// The number of selected elements in a box of rank() intervals; within() selects only these.
  [[nodiscard]] std::uint64_t element_count_in(std::span<const Interval> box) const;
  [[nodiscard]] Selection within(std::span<const Interval> box) const;

  // --- regular selections ------------------------------------------------------------------------
  /// The number of coordinates in a dimension.
  [[nodiscard]] std::uint64_t coordinates(std::size_t d) const {
    return dims_[d].count * dims_[d].block;
  }
  /// The k-th coordinate of a dimension.
  [[nodiscard]] std::uint64_t coordinate(std::size_t d, std::uint64_t k) const {
    const HyperslabSide& x = dims_[d];
    return x.start + k / x.block * x.stride + k % x.block;
  }
  /// The first k whose coordinate is at least `at`; coordinates(d) if there is none.
  [[nodiscard]] std::uint64_t first_at_least(std::size_t d, std::uint64_t at) const;
  /// True if the coordinates of this dimension have no gaps.
  [[nodiscard]] bool is_dense(std::size_t d) const { return dims_[d].stride == dims_[d].block; }

  // --- all selections ----------------------------------------------------------------------------
  /// Calls each(first element of the array, number of elements) for the longest runs of adjacent
  /// elements, in order.
  template <class F>
  void for_each_run(F&& each) const;

  /// Like for_each_run, but by series of equally spaced runs: each(first element, elements of a
  /// run, distance, number of runs). A regular selection has few series; two of them may touch.
  template <class F>
  void for_each_series(F&& each) const;

  /// Calls each(first element of the box, number among the selected elements, number of elements)
  /// for runs of selected elements in a box, which are adjacent in both. `start` and `extent` have
  /// rank() numbers; the box may extend beyond the array. The runs are not ordered by number.
  template <class F>
  void for_each_run_in(std::span<const std::uint64_t> start, std::span<const std::uint64_t> extent,
                       F&& each) const;

  /// Calls each(first element of the array, number of elements) for the runs of `count` selected
  /// elements from number `first` on, in order. Earlier elements are not walked.
  template <class F>
  void for_each_run_of(std::uint64_t first, std::uint64_t count, F&& each) const {
    if (count == 0) return;
    if (is_regular()) return regular_runs_of(first, count, each);
    tree_runs_of(0, 0, 0, first, count, each);
  }

  /// Calls each(start, with rank() coordinates) for the cells of a grid that contain selected
  /// elements, in C order. `extent` is the size of a cell. With rank 0, there are none.
  template <class F>
  void for_each_cell(std::span<const std::uint64_t> extent, F&& each) const {
    if (count_ == 0 || rank_ == 0) return;
    std::array<std::uint64_t, Dataspace::kMaxRank> start;
    const std::uint32_t root[] = {0};
    cells(0, root, extent, start, each);
  }

 private:
  using Numbers = std::array<std::uint64_t, Dataspace::kMaxRank>;

  void bind(const Hyperslab& part, const Where& where);
  void bind(std::shared_ptr<const SpanTree> tree, const Where& where);
  void clear();

  /// The first dimension whose coordinates are part of one run, and the run's length in elements.
  std::size_t run_dimension(std::uint64_t& run) const;
  /// The element at the starts of dimensions d and up, at 0 in earlier ones.
  [[nodiscard]] std::uint64_t first_element(std::size_t d) const;

  [[nodiscard]] std::uint64_t tree_count_in(std::size_t d, std::uint32_t list,
                                            std::span<const Interval> box) const;

  template <class F>
  void regular_runs(F&& each) const;
  template <class F>
  void tree_runs(std::size_t d, std::uint32_t list, std::uint64_t at, F& each) const;
  template <class F>
  void regular_runs_of(std::uint64_t first, std::uint64_t count, F& each) const;
  template <class F>
  void tree_runs_of(std::size_t d, std::uint32_t list, std::uint64_t at, std::uint64_t first,
                    std::uint64_t count, F& each) const;
  template <class F>
  void regular_runs_in(std::span<const std::uint64_t> start, std::span<const std::uint64_t> extent,
                       F& each) const;
  template <class F>
  void tree_runs_in(std::size_t d, std::uint32_t list, std::span<const std::uint64_t> start,
                    std::span<const std::uint64_t> extent, std::uint64_t at, std::uint64_t number,
                    F& each) const;
  template <class F>
  void cells(std::size_t d, std::span<const std::uint32_t> lists,
             std::span<const std::uint64_t> extent, Numbers& start, F& each) const;
  /// The first coordinate of dimension d, in any of the lists, that is at least `at`; false if
  /// there is none.
  bool next_coordinate(std::size_t d, std::span<const std::uint32_t> lists, std::uint64_t at,
                       std::uint64_t& found) const;
  /// The lists below the coordinates [first, end) of these lists.
  [[nodiscard]] std::vector<std::uint32_t> lists_below(std::size_t d,
                                                       std::span<const std::uint32_t> lists,
                                                       std::uint64_t first,
                                                       std::uint64_t end) const;

  // Arrays whose first rank_ elements are set, so that small reads do not allocate.
  std::size_t rank_;
  Numbers shape_;
  std::array<HyperslabSide, Dataspace::kMaxRank> dims_;  ///< for a regular selection
  Numbers stride_elements_;                              ///< from one coordinate to the next
  std::uint64_t count_;
  std::shared_ptr<const SpanTree> tree_;
  std::vector<std::uint64_t> positions_;
};

// --- walking -------------------------------------------------------------------------------------
template <class F>
void BoundSelection::for_each_run(F&& each) const {
  if (count_ == 0) return;
  if (is_regular()) return regular_runs(each);
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  const auto join = [&](std::uint64_t at, std::uint64_t more) {
    if (size != 0 && at != start + size) {
      each(start, size);
      size = 0;
    }
    if (size == 0) start = at;
    size += more;
  };
  tree_runs(0, 0, 0, join);
  each(start, size);
}

template <class F>
void BoundSelection::for_each_series(F&& each) const {
  std::uint64_t run = 1;
  const std::size_t d = is_regular() && count_ != 0 ? run_dimension(run) : 0;
  if (d == 0)
    return for_each_run([&](std::uint64_t at, std::uint64_t size) { each(at, size, size, 1); });
  // The coordinates of the last walked dimension make one series, or one for each block.
  const HyperslabSide& inner = dims_[d - 1];
  const std::uint64_t row = stride_elements_[d - 1];
  const bool by_blocks = inner.block != 1 && inner.count != 1 && run != row;
  std::vector<std::uint64_t> k(d - 1, 0);
  for (;;) {
    std::uint64_t at = first_element(d - 1);
    for (std::size_t i = 0; i + 1 < d; ++i) at += coordinate(i, k[i]) * stride_elements_[i];
    if (by_blocks)
      for (std::uint64_t b = 0; b < inner.count; ++b)
        each(at + b * inner.stride * row, run, row, inner.block);
    else if (run == row)
      each(at, run * inner.block, inner.stride * row, inner.count);
    else if (inner.count == 1)
      each(at, run, row, inner.block);
    else
      each(at, run, inner.stride * row, inner.count);
    std::size_t i = d - 1;
    while (i > 0 && ++k[i - 1] == coordinates(i - 1)) k[--i] = 0;
    if (i == 0) return;
  }
}

template <class F>
void BoundSelection::regular_runs(F&& each) const {
  std::uint64_t run = 1;
  std::size_t d = run_dimension(run);
  if (d == 0) return each(first_element(0), run);
  // Dimensions before d are walked by coordinate. Neighbours, in a block or from one row to the
  // next, make one run.
  std::vector<std::uint64_t> k(d, 0);
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  for (;;) {
    std::uint64_t at = first_element(d);
    for (std::size_t i = 0; i < d; ++i) at += coordinate(i, k[i]) * stride_elements_[i];
    if (size != 0 && at == start + size) {
      size += run;
    } else {
      if (size != 0) each(start, size);
      start = at;
      size = run;
    }
    std::size_t i = d;
    while (i > 0 && ++k[i - 1] == coordinates(i - 1)) k[--i] = 0;
    if (i == 0) return each(start, size);
  }
}

template <class F>
void BoundSelection::tree_runs(std::size_t d, std::uint32_t list, std::uint64_t at, F& each) const {
  const std::uint64_t stride = stride_elements_[d];
  for (const SpanTree::Span& span : tree_->spans(d, list)) {
    if (tree_->below(d, span) == stride) {  // the whole row
      each(at + span.first * stride, (span.end - span.first) * stride);
    } else {
      for (std::uint64_t c = span.first; c < span.end; ++c)
        tree_runs(d + 1, span.child, at + c * stride, each);
    }
  }
}

template <class F>
void BoundSelection::regular_runs_of(std::uint64_t first, std::uint64_t count, F& each) const {
  if (rank_ == 0) return each(0, 1);
  Numbers k;
  for (std::size_t d = rank_; d-- > 0; first /= coordinates(d)) k[d] = first % coordinates(d);
  const std::size_t row = rank_ - 1;
  for (;;) {
    std::uint64_t start = 0;
    for (std::size_t d = 0; d < row; ++d) start = (start + coordinate(d, k[d])) * shape_[d + 1];
    while (count != 0 && k[row] < coordinates(row)) {
      const std::uint64_t at = coordinate(row, k[row]);
      const std::uint64_t most = std::min(count, coordinates(row) - k[row]);
      std::uint64_t n = is_dense(row) ? most : 1;
      while (n < most && coordinate(row, k[row] + n) == at + n) ++n;
      each(start + at, n);
      k[row] += n;
      count -= n;
    }
    if (count == 0) return;
    std::size_t d = row;
    k[row] = 0;
    while (d > 0 && ++k[d - 1] == coordinates(d - 1)) k[--d] = 0;
    if (d == 0) return;
  }
}

template <class F>
void BoundSelection::tree_runs_of(std::size_t d, std::uint32_t list, std::uint64_t at,
                                  std::uint64_t first, std::uint64_t count, F& each) const {
  const std::uint64_t stride = stride_elements_[d];
  const auto spans = tree_->spans(d, list);
  auto span = std::prev(std::partition_point(
      spans.begin(), spans.end(), [&](const SpanTree::Span& s) { return s.before <= first; }));
  for (; count != 0; ++span) {
    const std::uint64_t below = tree_->below(d, *span);
    const std::uint64_t here = (span->end - span->first) * below;
    for (std::uint64_t done = first - span->before; count != 0 && done < here;) {
      const bool is_whole = below == stride;  // the whole row
      const std::uint64_t n = std::min(count, is_whole ? here - done : below - done % below);
      const std::uint64_t c = at + (span->first + done / below) * stride;
      if (is_whole)
        each(c + done % below, n);
      else
        tree_runs_of(d + 1, span->child, c, done % below, n, each);
      done += n;
      first += n;
      count -= n;
    }
  }
}

template <class F>
void BoundSelection::for_each_run_in(std::span<const std::uint64_t> start,
                                     std::span<const std::uint64_t> extent, F&& each) const {
  if (count_ == 0) return;
  if (is_regular()) return regular_runs_in(start, extent, each);
  tree_runs_in(0, 0, start, extent, 0, 0, each);
}

template <class F>
void BoundSelection::regular_runs_in(std::span<const std::uint64_t> start,
                                     std::span<const std::uint64_t> extent, F& each) const {
  if (rank_ == 0) return each(0, 0, 1);
  // In each dimension, the coordinates k in [first, last) lie in the box.
  Numbers first, last, k;
  for (std::size_t d = 0; d < rank_; ++d) {
    k[d] = first[d] = first_at_least(d, start[d]);
    last[d] = first_at_least(d, start[d] + extent[d]);
    if (first[d] == last[d]) return;
  }
  const std::size_t row = rank_ - 1;
  for (;;) {
    std::uint64_t at = 0;
    std::uint64_t number = 0;
    for (std::size_t d = 0; d < row; ++d) {
      at = (at + coordinate(d, k[d]) - start[d]) * extent[d + 1];
      number = (number + k[d]) * coordinates(d + 1);
    }
    const std::uint64_t block = is_dense(row) ? coordinates(row) : dims_[row].block;
    for (std::uint64_t i = first[row]; i < last[row];) {
      const std::uint64_t size = std::min(last[row] - i, block - i % block);
      each(at + coordinate(row, i) - start[row], number + i, size);
      i += size;
    }
    std::size_t d = row;
    while (d > 0 && ++k[d - 1] == last[d - 1]) {
      --d;
      k[d] = first[d];
    }
    if (d == 0) return;
  }
}

template <class F>
void BoundSelection::tree_runs_in(std::size_t d, std::uint32_t list,
                                  std::span<const std::uint64_t> start,
                                  std::span<const std::uint64_t> extent, std::uint64_t at,
                                  std::uint64_t number, F& each) const {
  const std::uint64_t box_end = start[d] + extent[d];
  for (const SpanTree::Span& span : tree_->spans_in(d, list, start[d], box_end)) {
    const std::uint64_t first = std::max(span.first, start[d]);
    const std::uint64_t end = std::min(span.end, box_end);
    const std::uint64_t below = tree_->below(d, span);
    std::uint64_t n = number + span.before + (first - span.first) * below;
    if (d + 1 == rank_) {
      each(at + first - start[d], n, end - first);
      continue;
    }
    for (std::uint64_t c = first; c < end; ++c, n += below)
      tree_runs_in(d + 1, span.child, start, extent, (at + c - start[d]) * extent[d + 1], n, each);
  }
}

template <class F>
void BoundSelection::cells(std::size_t d, std::span<const std::uint32_t> lists,
                           std::span<const std::uint64_t> extent, Numbers& start, F& each) const {
  std::uint64_t at = 0;
  for (std::uint64_t end = 0; next_coordinate(d, lists, end, at);) {
    start[d] = at - at % extent[d];
    end = start[d] + extent[d];
    if (d + 1 == rank_) {
      each(std::span<const std::uint64_t>(start).first(rank_));
    } else if (is_regular()) {
      cells(d + 1, lists, extent, start, each);
    } else {
      cells(d + 1, lists_below(d, lists, start[d], end), extent, start, each);
    }
  }
}

}  // namespace onecast::space
