#include "objects/handles/seen_chunks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/make_error.hpp"
#include "filters/filters.hpp"
#include "objects/files/file_state.hpp"
#include "objects/files/object_access.hpp"

namespace onecast::handles {

std::optional<ChunkCoordinates> chunk_that_begins(const ChunkGrid& grid, const Shape& start) {
  if (start.size() != grid.rank) return {};
  ChunkCoordinates at{};
  for (unsigned d = 0; d < grid.rank; ++d) {
    at[d] = start[d] / grid.chunk[d];
    if (start[d] % grid.chunk[d] != 0 || start[d] >= grid.extent[d]) return {};
  }
  return at;
}

void reject_start(const std::string& where, const Shape& start) {
  throw argument_error("{}: start: [{}] is not the first element of a chunk", where,
                       fmt::join(start, ", "));
}

SeenChunks::SeenChunks(const Dataset& dataset) : node_(ObjectAccess::node(dataset)) {
  file_of(node_).require_open();
  if (info().layout != Layout::chunked) reject("is not chunked");
}

void SeenChunks::reject(const std::string& what) const {
  throw argument_error("{}: {}", node_.where(), what);
}

std::uint64_t SeenChunks::number(const Shape& start) const {
  const auto at = chunk_that_begins(grid(), start);
  if (!at) reject_start(node_.where(), start);
  return grid().number(*at);
}

Shape SeenChunks::start(std::uint64_t number) const {
  const ChunkCoordinates first = first_element(grid(), number);
  return {first.begin(), first.begin() + grid().rank};
}

bool SeenChunks::is_in_memory(std::uint64_t number) const {
  const EditedChunks* edited = known_edited_chunks(node_);
  return edited != nullptr &&
         (edited->pending().contains(number) || edited->table().valid_extent(number) != nullptr);
}

StoredBytes SeenChunks::from_memory(std::uint64_t number) const {
  const EditedChunks& edited = *known_edited_chunks(node_);
  const auto found = edited.pending().find(number);
  if (found != edited.pending().end() && !found->second.is_decoded() &&
      is_filtered(info(), number)) {
    StoredBytes stored{
        std::vector<std::byte>(static_cast<std::size_t>(found->second.stored.bytes.size())),
        found->second.stored.filter_mask};
    found->second.stored.bytes.read(0, stored.bytes);
    return stored;
  }
  EncodedChunk encoded = edited.encode(number, edited.image(number).span());
  return {std::move(encoded.bytes), encoded.filter_mask};
}

LocatedChunks SeenChunks::all_of(const Selection& part) const {
  LocatedChunks found = locate_chunks(node_, BoundSelection(info().space, part, node_));
  if (const auto there = found.places.size() + found.in_memory.size(); there != found.wanted)
    throw not_found_error("{}: {} of {} chunks were never written", node_.where(),
                          found.wanted - there, found.wanted);
  check_places(node_, found.places);
  std::ranges::sort(found.places, {}, &ChunkPlace::number);
  return found;
}

}  // namespace onecast::handles
