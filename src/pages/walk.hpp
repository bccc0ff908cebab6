#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/file_range.hpp"
#include "base/namespaces.hpp"
#include "format/objects/extension_messages.hpp"
#include "pages/block_cache.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::pages {

/// The limits of a walk, and of what it brings.
struct WalkLimits {
  std::uint64_t budget = 0;  ///< bytes of metadata and small data
  std::uint64_t small_data_limit =
      0;  ///< raw data of datasets up to this size comes along; 0: none
  bool recursive = true;
  /// "Indexed Storage Internal Node K": nodes of version 1 B-trees of chunks come with the full
  /// size that they may reach, so that they can be changed in place. 0: only the used part of nodes
  /// comes.
  unsigned chunk_node_k = 0;
};

struct WalkResult {
  std::vector<FileRange> ranges;       ///< sorted, apart from each other
  std::uint64_t metadata_bytes = 0;    ///< in `ranges`
  std::uint64_t small_data_bytes = 0;  ///< in `ranges`
  bool complete = true;                ///< the budget was enough
};

/// Visits the object at `start` and everything below it, breadth first, and returns the ranges of
/// the file that this needed. What it cannot decode it leaves out; later lookups get the error.
WalkResult walk_metadata(BlockCache& source, Address start, const WalkLimits& limits,
                         const std::optional<SharedMessageTableMessage>& shared = {});

}  // namespace onecast::pages
