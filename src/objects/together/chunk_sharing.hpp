#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/together/chunk_positions.hpp"
#include "objects/together/shared_read.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::together {

/// The filtered chunks that a rank wants in one call, of all its datasets. Where ranks want the
/// same, each chunk is read once for all of them, and decoded by each that wants it.
class ChunkSharing {
 public:
  explicit ChunkSharing(FileState& file) : file_(file) {}

  /// Looks where those of an entry of a list lie, unless some are in memory only. `dataset`: the
  /// first entry of the same one. To be called in the order of the list; `read` is kept. Does not
  /// communicate.
  void look_for(SharedRead& read, std::size_t entry, std::size_t dataset);
  /// After the last one: forgets all if they are so few that they are better kept for further
  /// reads, or if chunks of two datasets overlap, as only in damaged files.
  void weigh();

  /// What this rank wants of each dataset.
  [[nodiscard]] std::vector<WantedChunks> wanted(std::size_t datasets) const;
  /// What all want.
  void find_shared(std::span<const WantedChunks> wanted) { positions_ = ChunkPositions(wanted); }

  /// Are any shared? The same on all ranks.
  [[nodiscard]] bool any() const { return !positions_.empty(); }
  /// Will read() read this entry?
  [[nodiscard]] bool has(std::size_t entry) const;
  /// Reads those of datasets that are shared, in rounds of a quarter of the collective buffer.
  /// `failure`: of what this rank did besides. @collective
  void read(std::exception_ptr failure);

 private:
  struct Wanted {
    SharedRead* read;
    std::size_t entry;
    std::size_t dataset;
    std::vector<ChunkPlace> places;  ///< by number, at least one
    std::uint64_t count;             ///< with those that nobody wrote: they are the fill value
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
