#include "space/span_tree_builder.hpp"

#include <algorithm>

#include "onecast/base/error.hpp"

namespace onecast::space {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorCode::invalid_argument, std::string("selection: ") + what);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 29U;
}

}  // namespace

SpanTreeBuilder::SpanTreeBuilder(std::size_t rank, std::uint64_t most_spans)
    : rank_(rank), left_(most_spans), work_(16 * most_spans), levels_(rank), found_(rank) {}

void SpanTreeBuilder::append(Spans& spans, std::uint64_t first, std::uint64_t end,
                             std::uint32_t child) {
  if (child == kNone) return;
  if (!spans.empty() && spans.back().end == first && spans.back().child == child) {
    spans.back().end = end;
  } else {
    spans.push_back({first, end, 0, child});
  }
}

std::uint32_t SpanTreeBuilder::list_of(std::size_t level, Spans& spans) {
  if (spans.empty()) return kNone;
  const bool last = level + 1 == rank_;
  std::uint64_t hash = 0;
  std::uint64_t count = 0;
  for (SpanTree::Span& span : spans) {
    hash = mix(mix(mix(hash, span.first), span.end), span.child);
    span.before = count;
    std::uint64_t more = last ? 1 : levels_[level + 1].lists[span.child].count;
    if (__builtin_mul_overflow(span.end - span.first, more, &more) ||
        __builtin_add_overflow(count, more, &count))
      refuse("more than 2^64 elements");
  }
  SpanTree::Level& made = levels_[level];
  const auto [from, to] = found_[level].equal_range(hash);
  for (auto it = from; it != to; ++it) {
    const SpanTree::List& list = made.lists[it->second];
    if (list.end - list.begin == spans.size() &&
        std::equal(spans.begin(), spans.end(),
                   made.spans.begin() + static_cast<std::ptrdiff_t>(list.begin)))
      return it->second;
  }
  if (spans.size() > left_) refuse("consists of too many pieces");
  left_ -= spans.size();
  const auto id = static_cast<std::uint32_t>(made.lists.size());
  made.lists.push_back({made.spans.size(), made.spans.size() + spans.size(), count});
  made.spans.insert(made.spans.end(), spans.begin(), spans.end());
  found_[level].emplace(hash, id);
  return id;
}

void SpanTreeBuilder::count_work(std::uint64_t steps) {
  if (steps > work_) refuse("consists of too many pieces");
  work_ -= steps;
}

/// Numbers lists in the order of a walk from the root, so that equal sets are equal trees.
/// Intermediate lists that are not part of the result are dropped.
std::uint32_t SpanTreeBuilder::copy(std::size_t level, std::uint32_t list,
                                    std::vector<SpanTree::Level>& levels,
                                    std::vector<std::vector<std::uint32_t>>& done) const {
  std::uint32_t& id = done[level][list];
  if (id != kNone) return id;
  const SpanTree::List from = levels_[level].lists[list];
  SpanTree::Level& to = levels[level];
  id = static_cast<std::uint32_t>(to.lists.size());
  const std::uint64_t begin = to.spans.size();
  to.lists.push_back({begin, begin + (from.end - from.begin), from.count});
  for (std::uint64_t i = from.begin; i < from.end; ++i) to.spans.push_back(levels_[level].spans[i]);
  if (level + 1 < rank_)
    for (std::uint64_t i = begin; i < begin + (from.end - from.begin); ++i)
      to.spans[i].child = copy(level + 1, to.spans[i].child, levels, done);
  return id;
}

SpanTreeBuilder::Tree SpanTreeBuilder::finish(std::uint32_t root) const {
  if (root == kNone) return nullptr;
  std::vector<SpanTree::Level> levels(rank_);
  std::vector<std::vector<std::uint32_t>> done(rank_);
  for (std::size_t d = 0; d < rank_; ++d) done[d].assign(levels_[d].lists.size(), kNone);
  copy(0, root, levels, done);
  return std::make_shared<const SpanTree>(std::move(levels));
}

SpanTreeBuilder::Tree SpanTreeBuilder::product(std::span<const std::vector<Interval>> sides) {
  std::uint64_t most = 0;
  for (const auto& side : sides) most += side.size();
  SpanTreeBuilder builder(sides.size(), most);
  std::uint32_t child = 0;
  for (std::size_t d = sides.size(); d-- > 0 && child != kNone;) {
    Spans spans;
    for (const Interval& i : sides[d])
      if (i.first < i.end) append(spans, i.first, i.end, child);
    child = builder.list_of(d, spans);
  }
  return builder.finish(child);
}

// --- unions of blocks --------------------------------------------------------------------------
SpanTreeBuilder::Tree SpanTreeBuilder::union_of(std::size_t rank,
                                                std::span<const Interval> corners) {
  SpanTreeBuilder builder(rank, kMostSpans / 8);
  std::vector<std::size_t> blocks(corners.size() / rank);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = i;
  return builder.finish(builder.union_of_some(0, corners, blocks));
}

/// Between two adjacent starts or ends of blocks, every coordinate is in the same blocks.
std::uint32_t SpanTreeBuilder::union_of_some(std::size_t level, std::span<const Interval> corners,
                                             std::vector<std::size_t>& blocks) {
  const auto side = [&](std::size_t block) -> const Interval& {
    return corners[block * rank_ + level];
  };
  std::sort(blocks.begin(), blocks.end(),
            [&](std::size_t a, std::size_t b) { return side(a).first < side(b).first; });
  count_work(blocks.size());
  Spans spans;
  if (level + 1 == rank_) {
    for (const std::size_t block : blocks) {
      if (!spans.empty() && side(block).first <= spans.back().end) {
        spans.back().end = std::max(spans.back().end, side(block).end);
      } else {
        spans.push_back({side(block).first, side(block).end, 0, 0});
      }
    }
    return list_of(level, spans);
  }
  std::vector<std::size_t> met;
  std::size_t next = 0;
  for (std::uint64_t at = 0; next < blocks.size() || !met.empty();) {
    if (met.empty()) at = side(blocks[next]).first;
    while (next < blocks.size() && side(blocks[next]).first == at) met.push_back(blocks[next++]);
    std::uint64_t end = next < blocks.size() ? side(blocks[next]).first : ~std::uint64_t{0};
    for (const std::size_t block : met) end = std::min(end, side(block).end);
    count_work(met.size());
    std::vector<std::size_t> below = met;
    append(spans, at, end, union_of_some(level + 1, corners, below));
    std::erase_if(met, [&](std::size_t block) { return side(block).end == end; });
    at = end;
  }
  return list_of(level, spans);
}

// --- points ------------------------------------------------------------------------------------
SpanTreeBuilder::Tree SpanTreeBuilder::points(std::size_t rank,
                                              std::span<const std::uint64_t> coordinates,
                                              std::span<const std::size_t> order) {
  if (order.size() >= kNone) refuse("too many points");
  SpanTreeBuilder builder(rank, std::uint64_t{order.size()} * rank);
  return builder.finish(order.empty() ? kNone : builder.points_of_some(0, coordinates, order));
}

std::uint32_t SpanTreeBuilder::points_of_some(std::size_t level,
                                              std::span<const std::uint64_t> coordinates,
                                              std::span<const std::size_t> order) {
  const auto coordinate = [&](std::size_t i) { return coordinates[order[i] * rank_ + level]; };
  Spans spans;
  for (std::size_t i = 0; i < order.size();) {
    const std::uint64_t at = coordinate(i);
    std::size_t end = i + 1;
    while (end < order.size() && coordinate(end) == at) ++end;
    append(
        spans, at, at + 1,
        level + 1 == rank_ ? 0 : points_of_some(level + 1, coordinates, order.subspan(i, end - i)));
    i = end;
  }
  return list_of(level, spans);
}

// --- two sets ------------------------------------------------------------------------------------
struct SpanTreeBuilder::Parts {
  const SpanTree& a;
  const SpanTree& b;
  Rule rule;
  std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>> done;  ///< by level
};

SpanTreeBuilder::Tree SpanTreeBuilder::combine(const SpanTree& a, const SpanTree& b, Rule rule) {
  SpanTreeBuilder builder(a.rank(), kMostSpans);
  Parts parts{a, b, rule, {}};
  parts.done.resize(a.rank());
  return builder.finish(builder.combine_lists(parts, 0, 0, 0));
}

std::uint32_t SpanTreeBuilder::combine_lists(Parts& parts, std::size_t level, std::uint32_t a,
                                             std::uint32_t b) {
  if (a == kNone && (b == kNone || !parts.rule.only_second)) return kNone;
  if (b == kNone && !parts.rule.only_first) return kNone;
  const auto [known, is_new] = parts.done[level].emplace(std::pair(a, b), kNone);
  if (!is_new) return known->second;

  using Rest = std::span<const SpanTree::Span>;
  Rest first = a == kNone ? Rest{} : parts.a.spans(level, a);
  Rest second = b == kNone ? Rest{} : parts.b.spans(level, b);
  Spans spans;
  for (std::uint64_t at = 0; !first.empty() || !second.empty();) {
    // Up to `end`, each set has one list, or none.
    std::uint64_t end = ~std::uint64_t{0};
    const auto list_at = [&](const Rest& rest) {
      if (rest.empty()) return kNone;
      const bool inside = rest[0].first <= at;
      end = std::min(end, inside ? rest[0].end : rest[0].first);
      return inside ? rest[0].child : kNone;
    };
    const std::uint32_t one = list_at(first);
    const std::uint32_t other = list_at(second);
    count_work(1);
    if (level + 1 < rank_) {
      append(spans, at, end, combine_lists(parts, level + 1, one, other));
    } else {
      const bool taken = other == kNone ? one != kNone && parts.rule.only_first
                                        : (one == kNone ? parts.rule.only_second : parts.rule.both);
      append(spans, at, end, taken ? 0 : kNone);
    }
    at = end;
    if (!first.empty() && first[0].end == at) first = first.subspan(1);
    if (!second.empty() && second[0].end == at) second = second.subspan(1);
  }
  return known->second = list_of(level, spans);
}

}  // namespace onecast::space
