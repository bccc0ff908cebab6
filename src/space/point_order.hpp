#pragma once

#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "space/span_tree_builder.hpp"

namespace onecast::space {

/// Points as the set of their elements, and where each of them is in it.
struct PointOrder {
  SpanTreeBuilder::Tree tree;
  /// Number of each point's element in the set. Empty if the points are in that order already.
  std::vector<std::uint64_t> places;

  PointOrder(std::size_t rank, std::span<const std::uint64_t> coordinates);
};

}  // namespace onecast::space
