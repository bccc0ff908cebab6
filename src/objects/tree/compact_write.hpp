#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/tree/node.hpp"
#include "onecast/space/selection.hpp"

namespace onecast {

/// Elements written to a compact dataset, which lies in replicated metadata: other ranks must make
/// the same change.
struct CompactWrite {
  NodeId dataset;
  Selection part;
  std::vector<std::byte> bytes;  ///< in the stored type, and the order of the set of elements
  std::uint64_t epoch = 0;       ///< when, by a clock that all ranks share: see FileState
};

/// So many bytes may one more dataset have that is compact only because it is small.
std::uint64_t room_for_compact(const FileState& file);

std::vector<std::byte> serialize(const std::vector<CompactWrite>& writes);
std::vector<CompactWrite> deserialize_compact_writes(const std::vector<std::byte>& bytes);

}  // namespace onecast
