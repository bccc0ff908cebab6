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

/// What one rank writes of one chunk.
struct ChunkPart {
  int rank = 0;
  std::uint64_t elements = 0;
  bool is_whole = false;  ///< all that lies inside of the extent
  bool is_box = false;    ///< all elements of a box
  /// If it is no more than a box: first and last element of each dimension. All ranks keep the
  /// parts of all.
  std::vector<std::uint64_t> box;
};

/// What all ranks write of one chunk together; the same on all ranks.
struct SharedChunk {
  std::vector<ChunkPart> parts;  ///< by rank

  /// Who makes the chunk of the parts: in turn, by `number`, one of those that have some of it.
  [[nodiscard]] int owner(std::uint64_t number) const {
    return parts[static_cast<std::size_t>(number % parts.size())].rank;
  }
  [[nodiscard]] bool is_shared() const { return parts.size() > 1; }
  /// Does this rank write some of it?
  [[nodiscard]] bool has_part(int rank) const {
    return std::ranges::any_of(parts, [&](const ChunkPart& part) { return part.rank == rank; });
  }
  /// Is it certain that nothing old is left inside of the extent?
  [[nodiscard]] bool is_covered(const ChunkGrid& grid, std::uint64_t number) const;
};

/// By ChunkGrid::number().
using SharedChunks = std::map<std::uint64_t, SharedChunk>;

/// This rank's parts of these chunks, to be sent to all.
std::vector<std::byte> pack_parts(const BoundSelection& selection, const ChunkGrid& grid,
                                  std::span<const std::uint64_t> numbers);
/// Adds those of one rank; to be called in the order of the ranks.
void unpack_parts(std::span<const std::byte> bytes, int rank, const ChunkGrid& grid,
                  SharedChunks& chunks);

}  // namespace onecast::together
