#pragma once

#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "collective/access_summary.hpp"
#include "objects/chunk_storage.hpp"
#include "objects/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// Filtered chunks that a rank wants, as they are stored, by address.
struct WantedChunks {
  std::vector<ChunkPlace> places;
  bool has_gaps = false;  ///< there are others, which nobody wrote: they are the fill value
  ExtentList extents;
};

/// Nothing if the dataset has none, some are in memory only, or so few are wanted that they are
/// better kept for further reads. Does not communicate.
std::optional<WantedChunks> chunks_to_share(Node& dataset, const BoundSelection& selection);

/// Are there chunks that several ranks want? `all`: their extents.
bool are_shared(const AccessSummary& all);

/// Each stored chunk is read once for all ranks that want it, and decoded by each, in rounds of
/// `window` bytes of the file. `wanted` null: nothing. `failure`: of what this rank did besides.
/// @collective
void read_chunks_together(Node& dataset, const BoundSelection& selection,
                          const WantedChunks* wanted, const AccessSummary& all,
                          std::uint64_t window, std::span<std::byte> packed,
                          std::exception_ptr failure);

}  // namespace onecast
