#include "objects/storage/placed_chunks.hpp"

#include <algorithm>

#include "objects/storage/chunk_access.hpp"
#include "objects/storage/edited_chunks.hpp"

namespace onecast::storage {

ChunkTable::Slots placed_chunks(Node& dataset) {
  if (dataset.edited_chunks) return dataset.edited_chunks->table().all();
  ChunkTable::Slots slots;
  ChunkStorage& chunks = *dataset.dataset().chunks;
  const ChunkGrid& grid = chunks.grid();
  chunks.for_each([&](const ChunkEntry& e) {
    if (grid.contains(e.at)) slots[grid.number(e.at)] = {e.address, e.size, e.filter_mask, true};
  });
  return slots;
}

std::optional<std::vector<ChunkPlace>> places_by_address(Node& dataset,
                                                         const BoundSelection& selection,
                                                         std::uint64_t& wanted) {
  const DatasetInfo& info = dataset.dataset();
  std::vector<ChunkPlace> places;
  std::vector<std::uint64_t> in_memory;
  const EditedChunks* edited = dataset.edited_chunks.get();
  wanted = edited != nullptr ? edited->locate(selection, places, in_memory)
                             : info.chunks->locate(selection, places);
  if (!in_memory.empty()) return {};
  for (const ChunkPlace& place : places) check_place(dataset, info, place);
  std::sort(places.begin(), places.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return a.address < b.address; });
  const auto overlap = [&](const ChunkPlace& a, const ChunkPlace& b) {
    return b.address.value - a.address.value < a.size;
  };
  if (std::adjacent_find(places.begin(), places.end(), overlap) != places.end()) return {};
  return places;
}

}  // namespace onecast::storage
