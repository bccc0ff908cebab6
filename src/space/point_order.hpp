#pragma once

#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "space/span_tree_builder.hpp"

namespace onecast::space {

/// The set of the points' elements, and the position of each point in it.
struct PointOrder {
  SpanTreeBuilder::Tree tree;
  /// The number of each point's element in the set. Empty if the points already have this order.
  std::vector<std::uint64_t> positions;

  PointOrder(std::size_t rank, std::span<const std::uint64_t> coordinates);
};

}  // namespace onecast::space
