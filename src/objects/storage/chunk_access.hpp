#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"

/// What reading and writing of chunks have in common.
namespace onecast {

class ElementTarget;

/// The chunks that hold selected elements, by ChunkGrid::number(), ascending.
std::vector<std::uint64_t> chunk_numbers(const BoundSelection& selection, const ChunkGrid& grid);

/// The coordinates of a chunk's first element.
inline ChunkCoordinates first_element(const ChunkGrid& grid, std::uint64_t number) {
  ChunkCoordinates start = grid.coordinates(number);
  for (unsigned d = 0; d < grid.rank; ++d) start[d] *= grid.chunk[d];
  return start;
}

/// Calls each(first element of the chunk, number among the selected elements, number of elements)
/// for runs of selected elements in a chunk.
template <class F>
void for_each_run_in_chunk(const BoundSelection& selection, const ChunkGrid& grid,
                           std::uint64_t number, F&& each) {
  const ChunkCoordinates start = first_element(grid, number);
  selection.for_each_run_in(std::span(start).first(grid.rank),
                            std::span(grid.chunk).first(grid.rank), each);
}

/// How many elements of a chunk lie inside of the extent.
std::uint64_t elements_inside(const ChunkGrid& grid, std::uint64_t number);

/// "FILE: DATASET: chunk at (...)", as errors begin.
std::string where_is(const Node& dataset, const ChunkGrid& grid, std::uint64_t number);

/// Do filters apply to this chunk, when it is written?
bool is_filtered(const DatasetInfo& info, std::uint64_t number);

/// The shape of what is decoded at once, so that who reads by parts takes whole ones: a filtered
/// chunk. Empty: any part can be read alone.
Shape decoded_at_once(const DatasetInfo& info);

/// The most bytes that a chunk of so many is taken to have behind its filters: none that is of use
/// makes it much larger.
inline std::uint64_t largest_stored(std::uint64_t bytes) {
  constexpr std::uint64_t kMostGrowth = 8;
  constexpr std::uint64_t kFree = std::uint64_t{64} << 10U;
  return (bytes + kFree) * kMostGrowth + kMostGrowth - 1;
}

/// Throws Error (format) unless a chunk of the dataset can lie there and have that size.
void check_place(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place);

/// The chunks in the file that hold selected elements, by address, checked; `wanted`: how many hold
/// any. Nothing if some are only in memory, or lie upon each other as only in damaged files.
std::optional<std::vector<ChunkPlace>> places_by_address(Node& dataset,
                                                         const BoundSelection& selection,
                                                         std::uint64_t& wanted);

/// Are so many chunks kept for further reads, once they are decoded? Reads that are large beside
/// the cache would only push everything out of it.
bool is_cached(const FileState& file, const ChunkGrid& grid, std::uint64_t chunks);

/// Reads selected elements of these chunks, which `source` has as they are stored.
void read_chunks_of(Node& dataset, const BoundSelection& selection, const ElementTarget& out,
                    std::span<const ChunkPlace> places,
                    const std::function<void(Address, std::span<std::byte>)>& source);

/// The chunk as it is stored, decoded into `out`, which has a chunk's size.
void read_chunk(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place,
                std::span<std::byte> out);

/// What of a decoded chunk lies beyond `extent` becomes the fill value.
void fill_beyond(std::span<std::byte> chunk, const ChunkGrid& grid, std::uint64_t number,
                 const ChunkCoordinates& extent, ByteView element, std::size_t element_size);

}  // namespace onecast
