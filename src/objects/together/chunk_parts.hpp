#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/memory/packer.hpp"
#include "space/bound_selection.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::together {

/// The part of one chunk that one rank writes.
struct ChunkPart {
  int rank = 0;
  std::uint64_t elements = 0;
  bool is_whole = false;  ///< all elements of the chunk inside the extent
  bool is_box = false;    ///< all elements of a box
  /// The first and last element of each dimension, if the part is a box but not the whole chunk.
  /// All ranks keep the parts of all ranks.
  std::vector<std::uint64_t> box;
};

/// The parts of one chunk that all ranks write; equal on all ranks.
struct SharedChunk {
  std::vector<ChunkPart> parts;  ///< by rank

  /// Returns the rank that assembles the chunk: one of those with a part, in turn by `number`.
  [[nodiscard]] int owner(std::uint64_t number) const {
    return parts[static_cast<std::size_t>(number % parts.size())].rank;
  }
  [[nodiscard]] bool is_shared() const { return parts.size() > 1; }
  /// Returns true if this rank writes a part.
  [[nodiscard]] bool has_part(int rank) const {
    return std::ranges::any_of(parts, [&](const ChunkPart& part) { return part.rank == rank; });
  }
  /// Returns true if certainly no old element is left inside the extent.
  [[nodiscard]] bool is_covered(const ChunkGrid& grid, std::uint64_t number) const;
};

/// The chunks that ranks write, by ChunkGrid::number().
using SharedChunks = std::map<std::uint64_t, SharedChunk>;

/// Packs this rank's parts of these chunks for all ranks.
std::vector<std::byte> pack_parts(const BoundSelection& selection, const ChunkGrid& grid,
                                  std::span<const std::uint64_t> numbers);
/// Adds the parts of one rank. Call it in the order of the ranks.
void unpack_parts(std::span<const std::byte> bytes, int rank, const ChunkGrid& grid,
                  SharedChunks& chunks);

}  // namespace onecast::together
