#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "pages/file_range.hpp"
#include "pages/free_space.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/heaps/heap_room.hpp"

namespace onecast::structures {
class ChunkArrayPieces;
}  // namespace onecast::structures

namespace onecast::tree {
class Node;
}  // namespace onecast::tree

namespace onecast::memory {

/// What the file on disk still has, but not after the next flush: then its space is free.
struct ReleasedSpace {
  std::vector<tree::Node*> objects;
  FreeSpace raw_data;
  std::vector<FileRange> metadata;
  std::vector<HeapRoom> heap_rooms;
};

/// Where a chunk lies.
struct ChunkSlot {
  Address address;
  std::uint64_t size = 0;
  std::uint32_t filter_mask = 0;
  bool committed = false;  ///< the index in the file has it
};

/// Where all chunks of a dataset lie that is written to; the same on all ranks. The index in the
/// file follows at flush.
///
/// If that index can be asked for one chunk, the table has only what has changed since the last
/// flush; else all.
///
/// When a dataset shrinks, what its last chunks have beyond the new extent must be the fill value
/// if it grows again. That is only noted here, as the extent that the chunk's bytes are valid in;
/// who reads the chunk applies it, and the next flush at the latest writes it.
class ChunkTable {
 public:
  using Slots = std::map<std::uint64_t, ChunkSlot>;  ///< by ChunkGrid::number()
  using Extents = std::map<std::uint64_t, ChunkCoordinates>;

  explicit ChunkTable(const ChunkGrid& grid) : grid_(grid) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  /// Those in memory: all, or those that are not in the index in the file.
  [[nodiscard]] const Slots& slots() const { return slots_; }
  /// Those that exist.
  [[nodiscard]] Slots all() const;
  /// Chunks whose bytes are valid in a smaller extent than the dataset had.
  [[nodiscard]] const Extents& valid_extents() const { return valid_; }

  /// Nothing if there is no such chunk.
  [[nodiscard]] std::optional<ChunkSlot> find(std::uint64_t number) const;
  [[nodiscard]] const ChunkCoordinates* valid_extent(std::uint64_t number) const;
  /// As the index has it.
  void load(const ChunkEntry& entry);
  /// The index in the file, which is asked from now on; null: the table has all chunks.
  void set_stored(std::unique_ptr<ChunkIndex> in_file);
  [[nodiscard]] const ChunkIndex* stored() const { return stored_.get(); }
  /// The chunk lies there from now on, all of it valid; what it had before goes to `freed`.
  void set(std::uint64_t number, const ChunkSlot& slot, std::vector<ChunkSlot>& freed);
  /// What lies outside goes to `freed`.
  void resize(const ChunkGrid& next, std::vector<ChunkSlot>& freed);
  /// The index in the file has all of it now. `in_file`: that one, if it can be asked.
  void commit(std::unique_ptr<ChunkIndex> in_file);

  /// May the index in the file have this chunk, and is it right then?
  [[nodiscard]] bool is_left(std::uint64_t number) const {
    return is_left(grid_.coordinates(number));
  }

  /// Chunks that were set since the last flush, and are still there; some may be there twice.
  [[nodiscard]] const std::vector<std::uint64_t>& changes() const { return changes_; }
  /// Have chunks gone since the last flush?
  [[nodiscard]] bool has_lost() const { return has_lost_; }
  /// Those of them that the index in the file still has.
  void for_each_lost(const ChunkIndex::Each& each) const;

  bool changed = false;                     ///< since the last flush
  std::shared_ptr<ChunkArrayPieces> array;  ///< the index, if it is an array written before

 private:
  /// Is a chunk of the index in the file still there?
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
  ChunkCoordinates stored_count_{};  ///< of the grid that the index in the file was made for
  ChunkCoordinates left_{};          ///< of those, what shrinking has left in each dimension
};

}  // namespace onecast::memory
