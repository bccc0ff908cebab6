#include "space/bound_selection.hpp"

#include <fmt/format.h>

#include "base/make_error.hpp"
#include "space/point_order.hpp"
#include "space/span_tree_builder.hpp"

namespace onecast::space {
namespace {

[[noreturn]] void reject(const Where& where, const std::string& what) {
  throw argument_error("{}: selection: {}", where.text(), what);
}

}  // namespace

BoundSelection::BoundSelection(const Dataspace& space)
    : rank_(space.rank()), count_(space.element_count()) {
  if (rank_ > Dataspace::kMaxRank)
    throw argument_error("selection: {} dimensions, at most 32 can be", rank_);
  std::uint64_t neighbours = 1;
  for (std::size_t d = rank_; d-- > 0;) {
    const std::uint64_t n = space.shape()[d];
    shape_[d] = n;
    dims_[d] = {0, 1, n, n};
    stride_elements_[d] = neighbours;
    neighbours *= n;
  }
}

BoundSelection::BoundSelection(const Dataspace& space, const Selection& selection,
                               const Where& where)
    : BoundSelection(space) {
  using Kind = Selection::Kind;
  if (selection.kind() == Kind::all) return;
  if (selection.kind() == Kind::none) {
    clear();
    return;
  }
  if (selection.rank() != rank_ && !(selection.kind() == Kind::points && selection.rank() == 0))
    reject(where, fmt::format("must have {} dimensions", rank_));
  switch (selection.kind()) {
    case Kind::irregular:
      bind(std::get<Selection::Tree>(selection.what_), where);
      break;
    case Kind::points: {
      PointOrder order(rank_, selection.coordinates());
      bind(std::move(order.tree), where);
      positions_ = std::move(order.positions);
      break;
    }
    default:
      if (!has_rank(selection.hyperslab(), rank_))
        reject(where, fmt::format("must have {} dimensions", rank_));
      if (selection.is_unlimited() && rank_ > 0) {
        const Selection part = selection.clipped(space.shape());
        if (part.kind() == Kind::none) {
          clear();
        } else if (part.kind() == Kind::irregular) {
          bind(std::get<Selection::Tree>(part.what_), where);
        } else {
          bind(part.hyperslab(), where);
        }
      } else {
        bind(selection.hyperslab(), where);
      }
  }
  if (space.kind() == Dataspace::Kind::null) count_ = 0;
}

void BoundSelection::clear() {
  count_ = 0;
  for (std::size_t d = 0; d < rank_; ++d) dims_[d] = {0, 0, 1, 1};
}

void BoundSelection::bind(const Hyperslab& part, const Where& where) {
  count_ = 1;
  for (std::size_t d = 0; d < rank_; ++d) {
    const HyperslabSide x = side_of(part, d);
    if (x.is_empty()) {
      dims_[d] = x;
      count_ = 0;
      continue;
    }
    if (x.overlaps())
      reject(where, fmt::format("dimension {}: stride {} below block {}: blocks overlap", d,
                                x.stride, x.block));
    std::uint64_t end = 0;
    if (!x.end(end) || end > shape_[d])
      reject(where,
             fmt::format("dimension {}: start {}, count {}, stride {}, block {} leaves the size {}",
                         d, x.start, x.count, x.stride, x.block, shape_[d]));
    dims_[d] = x.normal();
    count_ *= x.block * x.count;
  }
}

void BoundSelection::bind(std::shared_ptr<const SpanTree> tree, const Where& where) {
  if (!tree) return clear();
  const std::vector<Interval> box = tree->bounding_box();
  for (std::size_t d = 0; d < rank_; ++d)
    if (box[d].end > shape_[d])
      reject(where, fmt::format("dimension {}: coordinate {} leaves the size {}", d, box[d].end - 1,
                                shape_[d]));
  count_ = tree->element_count();
  tree_ = std::move(tree);
}

std::vector<Interval> BoundSelection::bounding_box() const {
  if (!is_regular()) return tree_->bounding_box();
  std::vector<Interval> box(rank_);
  for (std::size_t d = 0; d < rank_; ++d)
    box[d] = {coordinate(d, 0), coordinate(d, coordinates(d) - 1) + 1};
  return box;
}

std::uint64_t BoundSelection::element_count_in(std::span<const Interval> box) const {
  if (count_ == 0) return 0;
  if (!is_regular()) return tree_count_in(0, 0, box);
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < rank_; ++d)
    count *= first_at_least(d, box[d].end) - first_at_least(d, box[d].first);
  return count;
}

std::uint64_t BoundSelection::tree_count_in(std::size_t d, std::uint32_t list,
                                            std::span<const Interval> box) const {
  std::uint64_t count = 0;
  for (const SpanTree::Span& span : tree_->spans_in(d, list, box[d].first, box[d].end)) {
    const std::uint64_t below = d + 1 == rank_ ? 1 : tree_count_in(d + 1, span.child, box);
    count += (std::min(span.end, box[d].end) - std::max(span.first, box[d].first)) * below;
  }
  return count;
}

Selection BoundSelection::within(std::span<const Interval> box) const {
  if (element_count_in(box) == 0) return Selection::none();
  if (rank_ == 0) return {};
  if (!is_regular()) {
    std::vector<std::vector<Interval>> sides;
    for (const Interval& side : box) sides.push_back({side});
    const auto inside = SpanTreeBuilder::product(sides);
    return Selection::of_tree(SpanTreeBuilder::combine(*tree_, *inside, {false, false, true}));
  }
  // In each dimension, the coordinates k in [first, last) lie in the box; this may split blocks.
  Hyperslab part;
  std::vector<std::vector<Interval>> sides(rank_);
  bool cuts = false;
  for (std::size_t d = 0; d < rank_; ++d) {
    const HyperslabSide& x = dims_[d];
    const std::uint64_t first = first_at_least(d, box[d].first);
    const std::uint64_t last = first_at_least(d, box[d].end);
    const bool in_one = first / x.block == (last - 1) / x.block;
    cuts = cuts || (!in_one && (first % x.block != 0 || last % x.block != 0));
    part.start.push_back(coordinate(d, first));
    part.count.push_back(in_one ? 1 : (last - first) / x.block);
    part.stride.push_back(in_one ? last - first : x.stride);
    part.block.push_back(in_one ? last - first : x.block);
  }
  if (!cuts) return part;
  for (std::size_t d = 0; d < rank_; ++d)
    for (std::uint64_t k = first_at_least(d, box[d].first); k < first_at_least(d, box[d].end);) {
      const std::uint64_t count =
          std::min(first_at_least(d, box[d].end) - k, dims_[d].block - k % dims_[d].block);
      sides[d].push_back({coordinate(d, k), coordinate(d, k) + count});
      k += count;
    }
  return Selection::product(sides);
}

std::uint64_t BoundSelection::first_at_least(std::size_t d, std::uint64_t at) const {
  const HyperslabSide& x = dims_[d];
  if (at <= x.start || coordinates(d) == 0) return 0;
  const std::uint64_t block = (at - x.start) / x.stride;
  const std::uint64_t inside = (at - x.start) % x.stride;
  const std::uint64_t k = inside < x.block ? block * x.block + inside : (block + 1) * x.block;
  return k < coordinates(d) ? k : coordinates(d);
}

std::size_t BoundSelection::run_dimension(std::uint64_t& run) const {
  run = 1;
  std::size_t d = rank();
  while (d > 0) {
    const HyperslabSide& x = dims_[d - 1];
    if (x.count != 1) return d;
    run *= x.block;
    --d;
    // A partly selected dimension ends the run, since its neighbours are apart.
    if (x.block != shape_[d]) return d;
  }
  return d;
}

std::uint64_t BoundSelection::first_element(std::size_t d) const {
  std::uint64_t at = 0;
  for (std::size_t i = d; i < rank(); ++i) at += dims_[i].start * stride_elements_[i];
  return at;
}

bool BoundSelection::next_coordinate(std::size_t d, std::span<const std::uint32_t> lists,
                                     std::uint64_t at, std::uint64_t& found) const {
  if (is_regular()) {
    const std::uint64_t k = first_at_least(d, at);
    if (k == coordinates(d)) return false;
    found = coordinate(d, k);
    return true;
  }
  bool any = false;
  for (const std::uint32_t list : lists) {
    const auto rest = tree_->spans_in(d, list, at, ~std::uint64_t{0});
    if (rest.empty()) continue;
    const std::uint64_t first = std::max(at, rest[0].first);
    found = any ? std::min(found, first) : first;
    any = true;
  }
  return any;
}

std::vector<std::uint32_t> BoundSelection::lists_below(std::size_t d,
                                                       std::span<const std::uint32_t> lists,
                                                       std::uint64_t first,
                                                       std::uint64_t end) const {
  std::vector<std::uint32_t> below;
  for (const std::uint32_t list : lists)
    for (const SpanTree::Span& span : tree_->spans_in(d, list, first, end))
      below.push_back(span.child);
  std::ranges::sort(below);
  below.erase(std::ranges::unique(below).begin(), below.end());
  return below;
}

}  // namespace onecast::space
