#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"

/// A selection in parts, each of which can be processed in little memory.
namespace onecast::space {

/// The selected elements in a box of the array.
struct SelectionPart {
  std::vector<Interval> box;
  std::uint64_t count;  ///< the number of elements
};

/// Calls `each` for parts of at most `most` elements, or of one cell of a grid. Parts do not
/// overlap, and together are the selection. `cell` is the size of a cell, rank() numbers; if it is
/// empty, each element is a cell, and the parts are in the order of the elements.
void for_each_part(const BoundSelection& selection, std::span<const std::uint64_t> cell,
                   std::uint64_t most, const std::function<void(const SelectionPart&)>& each);

/// Calls each(number among the selected elements, number in the part, number of elements) for the
/// longest runs of elements of a part, in order.
template <class F>
void for_each_run_of_part(const BoundSelection& selection, const SelectionPart& part, F&& each) {
  std::array<std::uint64_t, Dataspace::kMaxRank> start;
  std::array<std::uint64_t, Dataspace::kMaxRank> extent;
  const std::size_t rank = part.box.size();
  for (std::size_t d = 0; d < rank; ++d) {
    start[d] = part.box[d].first;
    extent[d] = part.box[d].end - part.box[d].first;
  }
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::uint64_t done = 0;
  const auto give = [&] {
    if (size != 0) each(first, done, size);
    done += size;
    size = 0;
  };
  selection.for_each_run_in(std::span(start).first(rank), std::span(extent).first(rank),
                            [&](std::uint64_t, std::uint64_t number, std::uint64_t count) {
                              if (number != first + size) give();
                              if (size == 0) first = number;
                              size += count;
                            });
  give();
}

}  // namespace onecast::space
