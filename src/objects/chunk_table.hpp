#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "pages/file_range.hpp"
#include "structures/chunk_array_pieces.hpp"
#include "structures/chunk_index.hpp"

namespace onecast {

class Node;

/// What the file on disk still has, but not after the next flush: then its space is free.
struct ReleasedSpace {
  std::vector<Node*> objects;
  std::vector<FileRange> raw_data;
  std::vector<FileRange> metadata;
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
/// When a dataset shrinks, what its last chunks have beyond the new extent must be the fill value
/// if it grows again. That is only noted here, as the extent that the chunk's bytes are valid in;
/// who reads the chunk applies it, and the next flush at the latest writes it.
class ChunkTable {
 public:
  using Slots = std::map<std::uint64_t, ChunkSlot>;  ///< by ChunkGrid::number()
  using Extents = std::map<std::uint64_t, ChunkCoordinates>;

  explicit ChunkTable(const ChunkGrid& grid) : grid_(grid) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  [[nodiscard]] const Slots& slots() const { return slots_; }
  /// Chunks whose bytes are valid in a smaller extent than the dataset had.
  [[nodiscard]] const Extents& valid_extents() const { return valid_; }

  /// Null if there is no such chunk.
  [[nodiscard]] const ChunkSlot* find(std::uint64_t number) const;
  [[nodiscard]] const ChunkCoordinates* valid_extent(std::uint64_t number) const;

  /// As the index has it.
  void load(const ChunkEntry& entry);
  /// The chunk lies there from now on, all of it valid; what it had before goes to `freed`.
  void set(std::uint64_t number, const ChunkSlot& slot, std::vector<ChunkSlot>& freed);
  /// What lies outside goes to `freed`.
  void resize(const ChunkGrid& next, std::vector<ChunkSlot>& freed);
  /// The index in the file has all of it now.
  void commit();

  /// Chunks that were set since the last flush, and are still there; some may be there twice.
  [[nodiscard]] const std::vector<std::uint64_t>& changes() const { return changes_; }
  /// Have chunks gone since the last flush?
  [[nodiscard]] bool has_lost() const { return has_lost_; }

  bool changed = false;                     ///< since the last flush
  std::vector<FileRange> index;             ///< blocks of the index in the file
  std::shared_ptr<ChunkArrayPieces> array;  ///< the index, if it is an array written before

 private:
  ChunkGrid grid_;
  Slots slots_;
  Extents valid_;
  std::vector<std::uint64_t> changes_;
  bool has_lost_ = false;
};

}  // namespace onecast
