#include "space/point_order.hpp"

#include <algorithm>
#include <numeric>

namespace onecast::space {

PointOrder::PointOrder(std::size_t rank, std::span<const std::uint64_t> coordinates) {
  const std::size_t count = rank == 0 ? 0 : coordinates.size() / rank;
  const auto point = [&](std::size_t i) { return coordinates.subspan(i * rank, rank); };
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(point(a), point(b));
  };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t ascending = 1;
  while (ascending < count && is_before(ascending - 1, ascending)) ++ascending;
  if (ascending < count) {
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return is_before(a, b) || (a < b && !is_before(b, a));
    });
    positions.resize(count);
    std::uint64_t position = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && is_before(order[i - 1], order[i])) ++position;
      positions[order[i]] = position;
    }
  }
  tree = SpanTreeBuilder::points(rank, coordinates, order);
}

}  // namespace onecast::space
