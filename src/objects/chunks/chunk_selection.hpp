#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"
#include "structures/chunks/chunk_index.hpp"

/// Finds the chunks, and the elements in a chunk, that a selection covers.
namespace onecast::chunks {

/// Returns the chunks that hold selected elements, by ChunkGrid::number(), ascending.
std::vector<std::uint64_t> chunk_numbers(const BoundSelection& selection, const ChunkGrid& grid);

/// Returns the coordinates of a chunk's first element.
inline ChunkCoordinates first_element(const ChunkGrid& grid, std::uint64_t number) {
  ChunkCoordinates start = grid.coordinates(number);
  for (unsigned d = 0; d < grid.rank; ++d) start[d] *= grid.chunk[d];
  return start;
}

/// Calls each(index of the first element in the chunk, index among the selected elements, number of
/// elements) for each run of selected elements in a chunk.
template <class F>
void for_each_run_in_chunk(const BoundSelection& selection, const ChunkGrid& grid,
                           std::uint64_t number, F&& each) {
  const ChunkCoordinates start = first_element(grid, number);
  selection.for_each_run_in(std::span(start).first(grid.rank),
                            std::span(grid.chunk).first(grid.rank), each);
}

/// Returns the number of elements of a chunk that lie inside the extent.
std::uint64_t elements_inside(const ChunkGrid& grid, std::uint64_t number);

}  // namespace onecast::chunks
