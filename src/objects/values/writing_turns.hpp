#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// The box of one write of a rank.
struct WrittenBox {
  std::size_t rank;
  /// Identifies the array of the sides by any two numbers.
  std::pair<std::uint64_t, std::uint64_t> array;
  std::vector<Interval> sides;  ///< one for each dimension
};

/// The turn in which each rank writes, so that it comes after all lower ranks with which it shares
/// elements. Ranks that share none write in the same turn.
struct WritingTurns {
  std::vector<std::size_t> of_rank;
  std::size_t count = 1;
};
/// Returns the turns of `ranks` ranks. Boxes that overlap count as sharing elements.
WritingTurns writing_turns(const std::vector<WrittenBox>& boxes, std::size_t ranks);

}  // namespace onecast::values
