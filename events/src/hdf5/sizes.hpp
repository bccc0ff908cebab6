#pragma once

#include <cstdint>
#include <vector>

#include "hdf5/event_layout.hpp"

namespace onecast::events::hdf5 {

/// Sizes chosen from the first events, unless the user gave them. Small outputs get small chunks,
/// so that a file of ten events is not larger than its events.
struct Sizes {
  std::uint64_t batch_events = 1;
  std::vector<std::uint64_t> chunk_bytes;  ///< of each dataset with bytes
  std::uint64_t identity_rows = 1;         ///< in a chunk of EventIDs
  std::uint64_t offset_rows = 1;           ///< of Offsets
  std::uint64_t batch_rows = 1;            ///< of Batches

  /// @param batch, chunk the user's values, or 0
  static Sizes choose(const EventLayout& layout, const Expectation& expected, std::uint64_t batch,
                      std::uint64_t chunk);
};

}  // namespace onecast::events::hdf5
