#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

/// A chunk that is to get its place.
struct ChunkToPlace {
  std::uint64_t number = 0;
  std::uint64_t size = 0;  ///< bytes, as stored
  std::uint32_t filter_mask = 0;
  bool is_whole = false;  ///< without filters: all of it will be written
};

/// Gives chunks that have no place one, in this order. Unfiltered ones that nobody may write whole
/// get space that was never used, which has zeros; if the fill value is another, rank 0 fills them.
/// @same on all ranks; does not communicate
void place_chunks(Node& dataset, std::span<const ChunkToPlace> chunks);

/// Where a chunk lies that place_chunks() gave its place since the last flush. Nothing if it did
/// not, or with another size.
std::optional<Address> given_place(const Node& dataset, std::uint64_t number, std::uint64_t size);

/// Does a new, unfiltered chunk at this address read as the fill value before anyone writes it?
bool reads_as_fill(Node& dataset, Address chunk, std::uint64_t size);

}  // namespace onecast::storage
