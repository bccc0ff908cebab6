#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::structures {
class ChunkArrayPieces;
}  // namespace onecast::structures

namespace onecast::memory {

/// The place of a chunk.
struct ChunkSlot {
  Address address;
  std::uint64_t size = 0;
  std::uint32_t filter_mask = 0;
  bool committed = false;  ///< the index in the file has it
};

/// The places of all chunks of a dataset that is written; equal on all ranks. The flush updates the
/// index in the file.
///
/// If that index can look up one chunk, the table has only the changes since the last flush; else
/// it has all chunks.
///
/// When a dataset shrinks, elements of the remaining chunks beyond the new extent must have the
/// fill value if it grows again. The table only notes the extent in which a chunk's bytes are
/// valid; readers of the chunk apply it, and the next flush at the latest writes it.
class ChunkTable {
 public:
  using Slots = std::map<std::uint64_t, ChunkSlot>;  ///< by ChunkGrid::number()
  using Extents = std::map<std::uint64_t, ChunkCoordinates>;

  explicit ChunkTable(const ChunkGrid& grid) : grid_(grid) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  /// Returns the chunks in memory: all, or those that the index in the file does not have.
  [[nodiscard]] const Slots& slots() const { return slots_; }
  /// Returns all existing chunks.
  [[nodiscard]] Slots all() const;
  /// Returns the chunks whose bytes are valid in a smaller extent than the dataset has had.
  [[nodiscard]] const Extents& valid_extents() const { return valid_; }

  /// Returns nothing if the chunk does not exist.
  [[nodiscard]] std::optional<ChunkSlot> find(std::uint64_t number) const;
  [[nodiscard]] const ChunkCoordinates* valid_extent(std::uint64_t number) const;
  /// Adds a chunk from the index.
  void load(const ChunkEntry& entry);
  /// Sets the index in the file, in which chunks are looked up from now on; null: the table has all
  /// chunks.
  void set_stored(std::unique_ptr<ChunkIndex> in_file);
  [[nodiscard]] const ChunkIndex* stored() const { return stored_.get(); }
  /// Sets the chunk's place, where all of it is valid; its former place is added to `freed`.
  void set(std::uint64_t number, const ChunkSlot& slot, std::vector<ChunkSlot>& freed);
  /// Adds the chunks outside `next` to `freed`.
  void resize(const ChunkGrid& next, std::vector<ChunkSlot>& freed);
  /// Notes that the index in the file has all changes. `in_file` is that index, if it can look up
  /// one chunk.
  void commit(std::unique_ptr<ChunkIndex> in_file);

  /// Returns true if the index in the file may have this chunk and is right about it.
  [[nodiscard]] bool is_left(std::uint64_t number) const {
    return is_left(grid_.coordinates(number));
  }

  /// Returns the chunks that were set since the last flush and still exist; some may occur twice.
  [[nodiscard]] const std::vector<std::uint64_t>& changes() const { return changes_; }
  /// Returns true if chunks were removed since the last flush.
  [[nodiscard]] bool has_lost() const { return has_lost_; }
  /// Calls `each` for the removed chunks that the index in the file still has.
  void for_each_lost(const ChunkIndex::Each& each) const;

  bool changed = false;  ///< true if the table changed since the last flush
  /// The index, if it is an array that was written before.
  std::shared_ptr<ChunkArrayPieces> array;

 private:
  /// Returns true if a chunk of the index in the file still exists.
  [[nodiscard]] bool is_left(const ChunkCoordinates& at) const;
  [[nodiscard]] ChunkSlot slot_of(const ChunkEntry& entry) const {
    return {entry.address, entry.size, entry.filter_mask, true};
  }
  void resize_slots(const ChunkGrid& next, std::vector<ChunkSlot>& freed);
  void resize_stored(const ChunkGrid& next, std::vector<ChunkSlot>& freed);
  void cut_stored(const ChunkGrid& next, Extents& valid) const;

  ChunkGrid grid_;
  Slots slots_;
  Extents valid_;
  std::vector<std::uint64_t> changes_;
  bool has_lost_ = false;
  std::unique_ptr<ChunkIndex> stored_;
  /// The size of the grid for which the index in the file was made.
  ChunkCoordinates stored_count_{};
  ChunkCoordinates left_{};  ///< the part of stored_count_ that shrinking has left
};

}  // namespace onecast::memory
