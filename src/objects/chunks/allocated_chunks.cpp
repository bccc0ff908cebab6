#include "objects/chunks/allocated_chunks.hpp"

#include <algorithm>

#include "objects/chunks/chunk_access.hpp"
#include "objects/chunks/edited_chunks.hpp"

namespace onecast::chunks {

ChunkTable::Slots allocated_chunks(Node& dataset) {
  if (const EditedChunks* edited = known_edited_chunks(dataset)) return edited->table().all();
  ChunkTable::Slots slots;
  ChunkStorage& chunks = chunks_of(dataset.dataset());
  const ChunkGrid& grid = chunks.grid();
  chunks.for_each([&](const ChunkEntry& e) {
    if (grid.contains(e.at)) slots[grid.number(e.at)] = {e.address, e.size, e.filter_mask, true};
  });
  return slots;
}

LocatedChunks locate_chunks(Node& dataset, const BoundSelection& selection) {
  LocatedChunks found;
  const EditedChunks* edited = known_edited_chunks(dataset);
  found.wanted = edited != nullptr ? edited->locate(selection, found.places, found.in_memory)
                                   : chunks_of(dataset.dataset()).locate(selection, found.places);
  return found;
}

std::optional<ChunkPlace> find_chunk(Node& dataset, std::uint64_t number) {
  std::vector<ChunkPlace> found;
  if (const EditedChunks* edited = known_edited_chunks(dataset)) {
    if (const auto slot = edited->table().find(number))
      found.push_back({number, slot->address, slot->size, slot->filter_mask});
  } else {
    chunks_of(dataset.dataset()).find({number}, found);
  }
  if (found.empty()) return {};
  check_places(dataset, found);
  return found.front();
}

std::optional<std::vector<ChunkPlace>> places_by_address(Node& dataset,
                                                         const BoundSelection& selection,
                                                         std::uint64_t& wanted) {
  LocatedChunks located = locate_chunks(dataset, selection);
  wanted = located.wanted;
  if (!located.in_memory.empty()) return {};
  std::vector<ChunkPlace>& places = located.places;
  check_places(dataset, places);
  std::sort(places.begin(), places.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return a.address < b.address; });
  const auto overlap = [&](const ChunkPlace& a, const ChunkPlace& b) {
    return b.address.value - a.address.value < a.size;
  };
  if (std::adjacent_find(places.begin(), places.end(), overlap) != places.end()) return {};
  return std::move(places);
}

}  // namespace onecast::chunks
