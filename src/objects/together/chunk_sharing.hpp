#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/files/file_state.hpp"
#include "objects/together/chunk_positions.hpp"
#include "objects/together/shared_read.hpp"

namespace onecast::together {

/// The filtered chunks of all datasets that a rank wants in one call. If several ranks want a
/// chunk, it is read once for all of them, and each of them decodes it.
class ChunkSharing {
 public:
  explicit ChunkSharing(FileState& file) : file_(file) {}

  /// Looks up the places of the chunks of a list's entry, unless some are in memory only. `dataset`
  /// is the first entry of the same dataset. Call it in the order of the list; the caller keeps
  /// `read`. Does not communicate.
  void look_for(SharedRead& read, std::size_t entry, std::size_t dataset);
  /// Call it after the last look_for(). Forgets all chunks if they are so few that they should
  /// rather be cached for later reads, or if chunks of two datasets overlap, as only in damaged
  /// files.
  void weigh();

  /// Returns what this rank wants of each dataset.
  [[nodiscard]] std::vector<WantedChunks> wanted(std::size_t datasets) const;
  /// Takes what all ranks want.
  void find_shared(std::span<const WantedChunks> wanted) { positions_ = ChunkPositions(wanted); }

  /// Returns true if any chunks are shared; equal on all ranks.
  [[nodiscard]] bool any() const { return !positions_.empty(); }
  /// Returns true if read() will read this entry.
  [[nodiscard]] bool has(std::size_t entry) const;
  /// Reads the datasets that have shared chunks, in rounds of a quarter of the collective buffer.
  /// `failure` is an earlier error of this rank. @collective
  void read(std::exception_ptr failure);

 private:
  struct Wanted {
    SharedRead* read;
    std::size_t entry;
    std::size_t dataset;
    std::vector<ChunkPlace> places;  ///< by number, at least one
    std::uint64_t count;  ///< including chunks that nobody wrote, which have the fill value
  };

  [[nodiscard]] bool are_cached() const;
  [[nodiscard]] std::vector<ChunkPlace>::const_iterator place_at(const Wanted& wanted,
                                                                 std::uint64_t position) const;
  [[nodiscard]] std::uint64_t next_position(std::uint64_t from) const;
  void read_round(std::uint64_t from, std::uint64_t to, std::exception_ptr& failure);

  FileState& file_;
  std::vector<Wanted> wanted_;  ///< by entry
  ChunkPositions positions_;
};

}  // namespace onecast::together
