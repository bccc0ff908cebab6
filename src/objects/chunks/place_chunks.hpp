#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::chunks {

/// A chunk that gets its place.
struct ChunkToPlace {
  std::uint64_t number = 0;
  std::uint64_t size = 0;  ///< bytes, as stored
  std::uint32_t filter_mask = 0;
  bool is_whole = false;  ///< true for an unfiltered chunk that will be written as a whole
};

/// Gives places to the chunks that have none, in this order. Unfiltered chunks that may not be
/// written whole get space that was never used and reads as zeros; if the fill value is not zero,
/// they get none. @same on all ranks; does not communicate
void place_chunks(Node& dataset, std::span<const ChunkToPlace> chunks);

/// Gives the chunks of a new, unfiltered dataset their places. @same on all ranks
void place_all_chunks(Node& dataset);

/// Returns the place that place_chunks() has given the chunk since the last flush; nothing if it
/// has not, or with another size.
std::optional<Address> given_place(const Node& dataset, std::uint64_t number, std::uint64_t size);

/// Returns true if a new, unfiltered chunk at this address reads as the fill value before it is
/// written.
bool reads_as_fill(Node& dataset, Address chunk, std::uint64_t size);

}  // namespace onecast::chunks
