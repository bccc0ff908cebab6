#include "objects/chunks/chunk_selection.hpp"

#include <algorithm>

namespace onecast::chunks {

std::vector<std::uint64_t> chunk_numbers(const BoundSelection& selection, const ChunkGrid& grid) {
  std::vector<std::uint64_t> numbers;
  const std::span<const std::uint64_t> chunk(grid.chunk.data(), grid.rank);
  selection.for_each_cell(chunk, [&](std::span<const std::uint64_t> start) {
    std::uint64_t number = 0;
    for (unsigned d = 0; d < grid.rank; ++d)
      number = number * grid.count[d] + start[d] / grid.chunk[d];
    numbers.push_back(number);
  });
  return numbers;
}

std::uint64_t elements_inside(const ChunkGrid& grid, std::uint64_t number) {
  const ChunkCoordinates start = first_element(grid, number);
  std::uint64_t elements = 1;
  for (unsigned d = 0; d < grid.rank; ++d)
    elements *= std::min(grid.chunk[d], grid.extent[d] - start[d]);
  return elements;
}

}  // namespace onecast::chunks
