#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"

/// Where a dataset's chunks lie in the file, whether or not this session writes to the dataset.
namespace onecast::storage {

/// Where the chunks lie that have a place in the file, which all ranks know of. Only reads.
ChunkTable::Slots placed_chunks(Node& dataset);

/// The chunks in the file that hold selected elements, by address, checked; `wanted`: how many hold
/// any. Nothing if some are only in memory, or lie upon each other as only in damaged files.
std::optional<std::vector<ChunkPlace>> places_by_address(Node& dataset,
                                                         const BoundSelection& selection,
                                                         std::uint64_t& wanted);

}  // namespace onecast::storage
