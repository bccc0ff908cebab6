#include "space/span_tree.hpp"

#include <algorithm>

namespace onecast::space {

std::span<const SpanTree::Span> SpanTree::spans_in(std::size_t d, std::uint32_t list,
                                                   std::uint64_t first, std::uint64_t end) const {
  const auto all = spans(d, list);
  const auto from = std::partition_point(all.begin(), all.end(),
                                         [&](const Span& span) { return span.end <= first; });
  const auto to =
      std::partition_point(from, all.end(), [&](const Span& span) { return span.first < end; });
  return {from, to};
}

std::vector<Interval> SpanTree::bounding_box() const {
  std::vector<Interval> box;
  for (const Level& level : levels_) {
    Interval whole = {~std::uint64_t{0}, 0};
    for (const Span& span : level.spans)
      whole = {std::min(whole.first, span.first), std::max(whole.end, span.end)};
    box.push_back(whole);
  }
  return box;
}

}  // namespace onecast::space
