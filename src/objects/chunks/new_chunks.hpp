#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "filters/filters.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/files/file_state.hpp"
#include "pages/draft_allocator.hpp"

/// How chunks get their places, whoever writes them: one rank alone, all ranks together, or the
/// flush.
namespace onecast::chunks {

/// Allocates the place of a chunk of `size` bytes: filtered chunks are packed closely.
ChunkSlot allocate_chunk(FileState& file, const DatasetInfo& dataset, std::uint64_t size,
                         std::uint32_t filter_mask = 0);

/// Chunks of any datasets that get places. They are entered into the tables together, when
/// their bytes are in the file; without enter(), their space is free again.
class NewChunks {
 public:
  explicit NewChunks(FileState& file) : file_(file), draft_(file.allocator()) {}

  /// Gives a chunk its place. On several ranks, all ranks call it with equal arguments.
  const ChunkSlot& add(EditedChunks& chunks, std::uint64_t number, std::uint64_t size,
                       std::uint32_t filter_mask = 0);
  /// Adds a chunk that keeps the place that it has.
  const ChunkSlot& add_allocated(EditedChunks& chunks, std::uint64_t number, const ChunkSlot& slot);
  /// Returns the place of the chunk that was added as the `i`-th.
  [[nodiscard]] const ChunkSlot& operator[](std::size_t i) const { return added_[i].slot; }

  /// Enters the chunks into the tables. Their former places are free, at once or after the flush.
  void enter();
  /// Does what enter() does, on all ranks, for chunks of which every byte was written: all ranks
  /// know that the file reaches to their ends.
  void enter_written();

 private:
  struct Added {
    EditedChunks* chunks;
    std::uint64_t number;
    ChunkSlot slot;
    bool is_new;
  };

  FileState& file_;
  DraftAllocator draft_;
  std::vector<Added> added_;
};

/// Gives encoded chunks of one dataset their places in this order, and writes them. For one rank
/// alone.
void allocate_encoded(EditedChunks& chunks, std::span<const std::uint64_t> numbers,
                      std::span<const EncodedChunk> encoded);

/// A chunk that gets its place.
struct ChunkToAllocate {
  std::uint64_t number = 0;
  std::uint64_t size = 0;  ///< bytes, as stored
  std::uint32_t filter_mask = 0;
  bool is_whole = false;  ///< true for an unfiltered chunk that will be written as a whole
};

/// Gives places to the chunks that have none, in this order. Unfiltered chunks that may not be
/// written whole get space that was never used and reads as zeros; if the fill value is not zero,
/// they get none. @same on all ranks; does not communicate
void allocate_chunks(Node& dataset, std::span<const ChunkToAllocate> chunks);

/// Gives the chunks of a new, unfiltered dataset their places. @same on all ranks
void allocate_all_chunks(Node& dataset);

/// Returns the place that allocate_chunks() has given the chunk since the last flush; nothing if it
/// has not, or with another size.
std::optional<Address> given_place(const Node& dataset, std::uint64_t number, std::uint64_t size);

/// Returns true if a new, unfiltered chunk at this address reads as the fill value before it is
/// written.
bool reads_as_fill(Node& dataset, Address chunk, std::uint64_t size);

}  // namespace onecast::chunks
