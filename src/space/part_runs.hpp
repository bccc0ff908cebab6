#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "space/bound_selection.hpp"

namespace onecast {

/// Calls each(first element of the array, number of elements) for runs of `count` selected elements
/// from the one of number `first` on. The selection is regular, of an array of this shape.
template <class F>
void for_each_run_of(const BoundSelection& selection, const Shape& shape, std::uint64_t first,
                     std::uint64_t count, F&& each) {
  const std::size_t rank = shape.size();
  if (count == 0) return;
  if (rank == 0) return each(0, 1);
  std::array<std::uint64_t, Dataspace::kMaxRank> k;
  for (std::size_t d = rank; d-- > 0; first /= selection.coordinates(d))
    k[d] = first % selection.coordinates(d);
  const std::size_t row = rank - 1;
  for (;;) {
    std::uint64_t start = 0;
    for (std::size_t d = 0; d < row; ++d)
      start = (start + selection.coordinate(d, k[d])) * shape[d + 1];
    while (count != 0 && k[row] < selection.coordinates(row)) {
      const std::uint64_t at = selection.coordinate(row, k[row]);
      const std::uint64_t most = std::min(count, selection.coordinates(row) - k[row]);
      std::uint64_t n = selection.is_dense(row) ? most : 1;
      while (n < most && selection.coordinate(row, k[row] + n) == at + n) ++n;
      each(start + at, n);
      k[row] += n;
      count -= n;
    }
    if (count == 0) return;
    std::size_t d = row;
    k[row] = 0;
    while (d > 0 && ++k[d - 1] == selection.coordinates(d - 1)) k[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace onecast
