#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/chunk_table.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::chunks {

/// A chunk that a read needs.
struct ChunkPlace {
  std::uint64_t number = 0;  ///< ChunkGrid::number()
  Address address;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t filter_mask = 0;
};

inline std::uint64_t end_of(const ChunkPlace& place) { return place.address.value + place.size; }

/// Which chunks one read brings: at most `gap` bytes lie between two of them, the read has at most
/// `bytes` bytes unless its first chunk has more, and chunks behind the first have at most `chunk`.
struct ReadLimits {
  std::uint64_t gap;
  std::uint64_t bytes = ~std::uint64_t{0};
  std::uint64_t chunk = ~std::uint64_t{0};
};
/// Returns the end of the chunks from `first` on that one read brings.
std::size_t end_of_neighbours(std::span<const ChunkPlace> places, std::size_t first,
                              const ReadLimits& limits);

/// Finds those of `numbers`, which ascend, that the index has; adjacent chunks together.
void find_chunks(const ChunkIndex& index, const ChunkGrid& grid,
                 const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found);

/// The places of one dataset's chunks, as far as they have been looked up. Any number of threads
/// may call this at once.
///
/// The first small reads search the index, which reads only the blocks in question. Once a certain
/// part of all chunks has been searched for, a table of all chunks is made and serves all later
/// reads, so that no part of the index is decoded again. Datasets with more than kMostInTable
/// chunks get no table: it would take more memory than their reads gain.
class ChunkStorage final : public LayoutStorage {
 public:
  ChunkStorage(MetadataSource& source, const ChunkGrid& grid, const DataLayoutMessage& layout,
               bool filtered);

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  /// Returns a number that is unique in the process.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  /// False if chunks that reach beyond the extent are stored without filters.
  [[nodiscard]] bool filters_partial_chunks() const { return filters_partial_chunks_; }

  /// Finds the existing chunks that hold selected elements; returns the number of all chunks that
  /// hold any. Throws Error (format) if the index is damaged there.
  std::uint64_t locate(const BoundSelection& selection, std::vector<ChunkPlace>& found);
  /// Finds those of `numbers`, which ascend, that exist.
  void find(const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found);

  /// Searches the index as the file has it now, from now on.
  void open_again();

  /// Calls `each` once for each existing chunk.
  void for_each(const ChunkIndex::Each& each) { index().for_each(each); }

  static constexpr std::uint64_t kMostInTable = std::uint64_t{2} << 20U;

 private:
  using Table = std::vector<ChunkSlot>;  ///< by number; without an address if it does not exist

  const ChunkIndex& index();
  /// As index(), for a thread that holds the mutex.
  const ChunkIndex& opened_index();
  /// Returns null as long as there is no table.
  const Table* table(std::uint64_t wanted);
  [[nodiscard]] bool pays(std::uint64_t wanted);
  void build_table();

  MetadataSource& source_;
  ChunkGrid grid_;
  DataLayoutMessage layout_;
  bool filtered_;
  bool filters_partial_chunks_;
  std::uint64_t id_;

  Mutex mutex_;  ///< guards the creation of the next two
  std::unique_ptr<ChunkIndex> index_;
  std::unique_ptr<Table> table_;
  std::vector<std::unique_ptr<ChunkIndex>> former_;  ///< other threads may still search them
  std::atomic<const ChunkIndex*> known_index_{nullptr};
  std::atomic<const Table*> known_table_{nullptr};
  std::atomic<std::uint64_t> asked_{0};  ///< the number of chunks searched for so far
  std::atomic<bool> no_table_{false};    ///< true if part of the index is damaged
};

/// Returns where the chunks of a chunked dataset lie.
inline ChunkStorage& chunks_of(const DatasetInfo& info) {
  return static_cast<ChunkStorage&>(*info.storage);
}

}  // namespace onecast::chunks
