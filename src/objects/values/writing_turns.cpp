#include "objects/values/writing_turns.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace onecast::values {
namespace {

bool overlap(const WrittenBox& a, const WrittenBox& b) {
  for (std::size_t d = 0; d < a.sides.size(); ++d)
    if (a.sides[d].end <= b.sides[d].first || b.sides[d].end <= a.sides[d].first) return false;
  return true;
}

/// Returns the pairs of ranks that share elements: (the higher one, the lower one).
std::set<std::pair<std::size_t, std::size_t>> sharing_ranks(const std::vector<WrittenBox>& boxes) {
  const auto start = [](const WrittenBox* b) { return b->sides.empty() ? 0 : b->sides[0].first; };
  std::vector<const WrittenBox*> sorted;
  sorted.reserve(boxes.size());
  for (const WrittenBox& b : boxes) sorted.push_back(&b);
  std::ranges::sort(sorted, [&](const WrittenBox* a, const WrittenBox* b) {
    return std::tuple(a->array, start(a)) < std::tuple(b->array, start(b));
  });
  std::set<std::pair<std::size_t, std::size_t>> shared;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const WrittenBox& a = *sorted[i];
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j]->array == a.array; ++j) {
      const WrittenBox& b = *sorted[j];
      if (!a.sides.empty() && b.sides[0].first >= a.sides[0].end) break;
      if (a.rank != b.rank && overlap(a, b))
        shared.emplace(std::max(a.rank, b.rank), std::min(a.rank, b.rank));
    }
  }
  return shared;
}

}  // namespace

WritingTurns writing_turns(const std::vector<WrittenBox>& boxes, std::size_t ranks) {
  WritingTurns turns;
  turns.of_rank.assign(ranks, 0);
  for (const auto& [higher, lower] : sharing_ranks(boxes)) {
    turns.of_rank[higher] = std::max(turns.of_rank[higher], turns.of_rank[lower] + 1);
    turns.count = std::max(turns.count, turns.of_rank[higher] + 1);
  }
  return turns;
}

}  // namespace onecast::values
