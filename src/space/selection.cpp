#include "onecast/space/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "onecast/base/error.hpp"
#include "space/hyperslab.hpp"
#include "space/point_order.hpp"
#include "space/span_tree.hpp"
#include "space/span_tree_builder.hpp"

namespace onecast {

using namespace space;

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "selection: " + what);
}

/// The sides. Returns false if one of them is empty, so that there are no elements.
bool sides_of(const Hyperslab& part, std::vector<HyperslabSide>& sides) {
  const std::size_t rank = part.start.size();
  if (!has_rank(part, rank)) refuse("start, count, stride and block are of different lengths");
  for (std::size_t d = 0; d < rank; ++d) {
    const HyperslabSide side = side_of(part, d);
    if (side.is_empty()) return false;
    std::uint64_t end = 0;
    if (side.overlaps())
      refuse(fmt::format("dimension {}: stride {} below block {}: blocks overlap", d, side.stride,
                         side.block));
    if (side.is_unlimited()) refuse("unlimited: clip it to a shape first");
    if (!side.end(end)) refuse(fmt::format("dimension {}: ends beyond 2^64", d));
    sides.push_back(side.normal());
  }
  return true;
}

Hyperslab hyperslab_of(const std::vector<HyperslabSide>& sides) {
  Hyperslab part;
  for (const HyperslabSide& side : sides) {
    part.start.push_back(side.start);
    part.count.push_back(side.count);
    part.stride.push_back(side.stride);
    part.block.push_back(side.block);
  }
  return part;
}

Hyperslab box_of(const Shape& shape) {
  return {Shape(shape.size(), 0), Shape(shape.size(), 1), {}, shape};
}

std::uint64_t product_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse("more than 2^64 elements");
  return result;
}

/// True if the list consists of intervals of equal length at equal distances.
bool is_regular(std::span<const SpanTree::Span> spans, HyperslabSide& side) {
  side = {spans[0].first, spans.size(), 0, spans[0].end - spans[0].first};
  side.stride = spans.size() == 1 ? side.block : spans[1].first - spans[0].first;
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (spans[i].first - spans[i - 1].first != side.stride ||
        spans[i].end - spans[i].first != side.block)
      return false;
  return true;
}

}  // namespace

Selection::Selection(Hyperslab part) : what_(std::move(part)) {}

Selection Selection::none() {
  Selection result;
  result.what_ = None{};
  return result;
}

Selection Selection::points(std::size_t rank, std::vector<std::uint64_t> coordinates) {
  if (rank == 0 ? !coordinates.empty() : coordinates.size() % rank != 0)
    refuse(fmt::format("points: {} coordinates, which is not a multiple of {} dimensions",
                       coordinates.size(), rank));
  Selection result;
  result.what_ = Points{rank, std::move(coordinates)};
  return result;
}

Selection Selection::product(std::span<const std::vector<Interval>> sides) {
  if (sides.empty() || sides.size() > Dataspace::kMaxRank) refuse("1 to 32 dimensions");
  for (const auto& side : sides)
    for (std::size_t i = 0; i < side.size(); ++i)
      if (side[i].first > side[i].end || (i > 0 && side[i].first < side[i - 1].end))
        refuse("intervals do not ascend");
  return of_tree(SpanTreeBuilder::product(sides));
}

Selection Selection::blocks(std::size_t rank, std::span<const Interval> intervals) {
  if (rank == 0 || rank > Dataspace::kMaxRank) refuse("1 to 32 dimensions");
  if (intervals.size() % rank != 0) refuse("blocks: not of as many intervals as dimensions");
  std::vector<Interval> used;
  for (std::size_t at = 0; at < intervals.size(); at += rank) {
    const auto block = intervals.subspan(at, rank);
    if (std::ranges::any_of(block, [](const Interval& i) { return i.first > i.end; }))
      refuse("blocks: an interval ends before it begins");
    if (std::ranges::none_of(block, [](const Interval& i) { return i.first == i.end; }))
      used.insert(used.end(), block.begin(), block.end());
  }
  return of_tree(SpanTreeBuilder::union_of(rank, used));
}

Selection Selection::of_tree(Tree tree) {
  if (!tree) return none();
  Selection result;
  std::vector<HyperslabSide> sides(tree->rank());
  for (std::size_t d = 0; d < tree->rank(); ++d)
    if (tree->level(d).lists.size() != 1 || !is_regular(tree->spans(d, 0), sides[d])) {
      result.what_ = std::move(tree);
      return result;
    }
  return hyperslab_of(sides);
}

Selection::Tree Selection::tree() const {
  if (const Tree* tree = std::get_if<Tree>(&what_)) return *tree;
  if (const Points* p = std::get_if<Points>(&what_))
    return PointOrder(p->rank, p->coordinates).tree;
  const Hyperslab* part = std::get_if<Hyperslab>(&what_);
  std::vector<HyperslabSide> sides;
  if (part == nullptr || !sides_of(*part, sides)) return nullptr;
  if (sides.empty() || sides.size() > Dataspace::kMaxRank) refuse("1 to 32 dimensions");
  std::vector<std::vector<Interval>> intervals(sides.size());
  for (std::size_t d = 0; d < sides.size(); ++d) {
    if (sides[d].count > SpanTreeBuilder::kMostSpans) refuse("consists of too many pieces");
    for (std::uint64_t i = 0; i < sides[d].count; ++i) {
      const std::uint64_t first = sides[d].start + i * sides[d].stride;
      intervals[d].push_back({first, first + sides[d].block});
    }
  }
  return SpanTreeBuilder::product(intervals);
}

std::size_t Selection::rank() const {
  if (const Hyperslab* part = std::get_if<Hyperslab>(&what_)) return part->start.size();
  if (const Tree* tree = std::get_if<Tree>(&what_)) return (*tree)->rank();
  if (const Points* p = std::get_if<Points>(&what_)) return p->rank;
  return 0;
}

bool Selection::is_unlimited() const {
  const Hyperslab* part = std::get_if<Hyperslab>(&what_);
  const auto has = [](const Shape& s) { return std::ranges::count(s, Dataspace::kUnlimited) != 0; };
  return part != nullptr && (has(part->count) || has(part->block));
}

std::uint64_t Selection::element_count() const {
  switch (kind()) {
    case Kind::all:
      refuse("all elements, of what is not known");
    case Kind::none:
      return 0;
    case Kind::irregular:
      return std::get<Tree>(what_)->element_count();
    case Kind::points:
      return rank() == 0 ? 0 : coordinates().size() / rank();
    case Kind::hyperslab:
      break;
  }
  std::vector<HyperslabSide> sides;
  if (!sides_of(hyperslab(), sides)) return 0;
  std::uint64_t count = 1;
  for (const HyperslabSide& side : sides)
    count = product_of(count, product_of(side.count, side.block));
  return count;
}

Selection::Box Selection::bounding_box() const {
  Box box{Shape(rank(), 0), Shape(rank(), 0)};
  if (kind() == Kind::all) refuse("all elements, of what is not known");
  if (const Tree* tree = std::get_if<Tree>(&what_)) {
    const std::vector<Interval> sides = (*tree)->bounding_box();
    for (std::size_t d = 0; d < rank(); ++d) {
      box.start[d] = sides[d].first;
      box.end[d] = sides[d].end;
    }
  } else if (const Hyperslab* part = std::get_if<Hyperslab>(&what_)) {
    std::vector<HyperslabSide> sides;
    if (!sides_of(*part, sides)) return box;
    for (std::size_t d = 0; d < rank(); ++d) {
      box.start[d] = sides[d].start;
      static_cast<void>(sides[d].end(box.end[d]));
    }
  } else if (const Points* p = std::get_if<Points>(&what_)) {
    for (std::size_t i = 0; i < p->coordinates.size(); ++i) {
      const std::uint64_t at = p->coordinates[i];
      const std::size_t d = i % p->rank;
      box.start[d] = i < p->rank ? at : std::min(box.start[d], at);
      box.end[d] = std::max(box.end[d], at + 1);
    }
  }
  return box;
}

std::optional<Shape> Selection::product_shape() const {
  if (kind() == Kind::all) refuse("all elements, of what is not known");
  Shape shape;
  if (const Tree* tree = std::get_if<Tree>(&what_)) {
    for (std::size_t d = 0; d < rank(); ++d) {
      if ((*tree)->level(d).lists.size() != 1) return std::nullopt;
      shape.push_back(0);
      for (const SpanTree::Span& span : (*tree)->spans(d, 0)) shape[d] += span.end - span.first;
    }
  } else if (kind() == Kind::hyperslab) {
    std::vector<HyperslabSide> sides;
    if (!sides_of(hyperslab(), sides)) return Shape(rank(), 0);
    for (const HyperslabSide& side : sides) shape.push_back(product_of(side.count, side.block));
  } else {
    return std::nullopt;
  }
  return shape;
}

// --- sets ----------------------------------------------------------------------------------------
Selection Selection::combine(const Selection& a, const Selection& b, bool only_first,
                             bool only_second, bool both) {
  const Tree first = a.tree();
  const Tree second = b.tree();
  if (!first) return only_second ? of_tree(second) : none();
  if (!second) return only_first ? of_tree(first) : none();
  if (first->rank() != second->rank())
    refuse(fmt::format("{} and {} dimensions", first->rank(), second->rank()));
  return of_tree(SpanTreeBuilder::combine(*first, *second, {only_first, only_second, both}));
}

Selection operator|(const Selection& a, const Selection& b) {
  if (a.kind() == Selection::Kind::all || b.kind() == Selection::Kind::all) return {};
  return Selection::combine(a, b, true, true, true);
}

Selection operator&(const Selection& a, const Selection& b) {
  if (a.kind() == Selection::Kind::all) return b;
  if (b.kind() == Selection::Kind::all) return a;
  return Selection::combine(a, b, false, false, true);
}

Selection operator-(const Selection& a, const Selection& b) {
  if (b.kind() == Selection::Kind::all) return Selection::none();
  if (a.kind() == Selection::Kind::all && b.kind() == Selection::Kind::none) return a;
  if (a.kind() == Selection::Kind::all) refuse("all but some: use complement(shape)");
  return Selection::combine(a, b, true, false, false);
}

Selection operator^(const Selection& a, const Selection& b) {
  if (a.kind() == Selection::Kind::all) return a - b;
  if (b.kind() == Selection::Kind::all) return b - a;
  return Selection::combine(a, b, true, true, false);
}

Selection Selection::complement(const Shape& shape) const {
  return Selection(box_of(shape)) - clipped(shape);
}

Selection Selection::clipped(const Shape& shape) const {
  if (kind() == Kind::all || kind() == Kind::none) return *this;
  if (rank() != shape.size())
    refuse(fmt::format("{} dimensions, the array has {}", rank(), shape.size()));
  if (kind() == Kind::irregular) return *this & Selection(box_of(shape));
  if (const Points* p = std::get_if<Points>(&what_)) {
    std::vector<std::uint64_t> inside;
    for (std::size_t at = 0; at < p->coordinates.size(); at += p->rank) {
      const auto point = std::span(p->coordinates).subspan(at, p->rank);
      if (std::ranges::equal(point, shape, std::less<>()))
        inside.insert(inside.end(), point.begin(), point.end());
    }
    return points(p->rank, std::move(inside));
  }
  const Hyperslab& part = hyperslab();
  if (!has_rank(part, rank())) refuse("start, count, stride and block are of different lengths");
  std::vector<HyperslabSide> sides;
  bool cuts = false;  // true if the shape cuts a block that is not the only one
  for (std::size_t d = 0; d < rank(); ++d) {
    HyperslabSide side = side_of(part, d);
    if (side.is_empty() || side.start >= shape[d]) return none();
    const std::uint64_t room = shape[d] - side.start;
    if (side.count > 1 && (side.overlaps() || side.stride == 0)) refuse("blocks overlap");
    if (side.count > 1) side.count = std::min(side.count, (room - 1) / side.stride + 1);
    if (side.count == 1) side.block = std::min(side.block, room);
    cuts = cuts || (side.count - 1) * side.stride + side.block > room;
    sides.push_back(side);
  }
  const Selection result(hyperslab_of(sides));
  return cuts ? result & Selection(box_of(shape)) : result;
}

void Selection::for_each_block(const std::function<void(std::span<const Interval>)>& each) const {
  if (kind() == Kind::all) refuse("all elements, of what is not known");
  if (kind() == Kind::none) return;
  if (const Tree* tree = std::get_if<Tree>(&what_)) return (*tree)->for_each_block(each);
  std::vector<Interval> block(rank());
  if (const Points* p = std::get_if<Points>(&what_)) {
    for (std::size_t at = 0; at < p->coordinates.size(); at += p->rank) {
      for (std::size_t d = 0; d < p->rank; ++d)
        block[d] = {p->coordinates[at + d], p->coordinates[at + d] + 1};
      each(block);
    }
    return;
  }
  std::vector<HyperslabSide> sides;
  if (!sides_of(hyperslab(), sides)) return;
  std::vector<std::uint64_t> k(rank(), 0);
  for (;;) {
    for (std::size_t d = 0; d < rank(); ++d) {
      const std::uint64_t first = sides[d].start + k[d] * sides[d].stride;
      block[d] = {first, first + sides[d].block};
    }
    each(block);
    std::size_t d = rank();
    while (d > 0 && ++k[d - 1] == sides[d - 1].count) k[--d] = 0;
    if (d == 0) return;
  }
}

// --- comparison ----------------------------------------------------------------------------------
Selection Selection::normal() const {
  if (const Points* p = std::get_if<Points>(&what_)) return p->coordinates.empty() ? none() : *this;
  const Hyperslab* part = std::get_if<Hyperslab>(&what_);
  if (part == nullptr || !has_rank(*part, rank()))
    return *this;  // an invalid selection is only
                   // equal to itself
  std::vector<HyperslabSide> sides;
  for (std::size_t d = 0; d < rank(); ++d) {
    sides.push_back(side_of(*part, d).normal());
    if (sides.back().is_empty()) return none();
  }
  return hyperslab_of(sides);
}

bool operator==(const Selection& a, const Selection& b) {
  const Selection one = a.normal();
  const Selection other = b.normal();
  if (one.kind() == Selection::Kind::irregular && other.kind() == one.kind())
    return *std::get<Selection::Tree>(one.what_) == *std::get<Selection::Tree>(other.what_);
  return one.what_ == other.what_;
}

std::uint64_t Selection::digest() const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29U;
  };
  const auto add_all = [&](const std::vector<std::uint64_t>& words) {
    add(words.size());
    for (const std::uint64_t word : words) add(word);
  };
  const Selection form = normal();
  add(form.what_.index());
  add(form.rank());
  if (form.kind() == Kind::hyperslab)
    for (const Shape* s : {&form.hyperslab().start, &form.hyperslab().count,
                           &form.hyperslab().stride, &form.hyperslab().block})
      add_all(*s);
  if (form.kind() == Kind::points) add_all(form.coordinates());
  if (const Tree* tree = std::get_if<Tree>(&form.what_))
    for (std::size_t d = 0; d < form.rank(); ++d)
      for (const SpanTree::Span& span : (*tree)->level(d).spans)
        for (const std::uint64_t word : {span.first, span.end, std::uint64_t{span.child}})
          add(word);
  return hash;
}

}  // namespace onecast
