#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"

namespace onecast::values {

/// Where one write of a rank lies.
struct WrittenBox {
  std::size_t rank;
  std::pair<std::uint64_t, std::uint64_t> array;  ///< what the sides are of: any two numbers
  std::vector<Interval> sides;                    ///< one for each dimension
};

/// When each rank writes, so that it comes after all lower ranks with which it shares elements.
/// Ranks that share none go at once.
struct WritingTurns {
  std::vector<std::size_t> of_rank;
  std::size_t count = 1;
};
/// Of so many ranks. Boxes that overlap count as sharing elements.
WritingTurns writing_turns(const std::vector<WrittenBox>& boxes, std::size_t ranks);

}  // namespace onecast::values
