#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/nodes/node.hpp"

/// Finds the places of a dataset's chunks, whether or not this session writes to the dataset.
namespace onecast::chunks {

/// Returns the places of the chunks that are in the file, which all ranks know. Changes nothing.
ChunkTable::Slots allocated_chunks(Node& dataset);

/// The existing chunks that hold selected elements.
struct LocatedChunks {
  std::vector<ChunkPlace> places;        ///< in the file; not checked
  std::vector<std::uint64_t> in_memory;  ///< must be read by EditedChunks::image()
  std::uint64_t wanted = 0;              ///< including chunks that do not exist

  [[nodiscard]] bool are_all_allocated() const { return places.size() == wanted; }
};
LocatedChunks locate_chunks(Node& dataset, const BoundSelection& selection);
/// Returns the place in the file of a chunk that is not in memory, checked, or nothing if it does
/// not exist.
std::optional<ChunkPlace> find_chunk(Node& dataset, std::uint64_t number);

/// Returns the chunks in the file that hold selected elements, by address, with their places
/// checked; `wanted` becomes the number of chunks that hold any. Returns nothing if some are only
/// in memory, or if chunks overlap, as in damaged files.
std::optional<std::vector<ChunkPlace>> places_by_address(Node& dataset,
                                                         const BoundSelection& selection,
                                                         std::uint64_t& wanted);

}  // namespace onecast::chunks
