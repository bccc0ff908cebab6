#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "space/bound_selection.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::storage {

/// A chunk that a read needs.
struct ChunkPlace {
  std::uint64_t number = 0;  ///< ChunkGrid::number()
  Address address;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint32_t filter_mask = 0;
};

/// Those of `numbers`, which ascend, that the index has: neighbours at once.
void find_chunks(const ChunkIndex& index, const ChunkGrid& grid,
                 const std::vector<std::uint64_t>& numbers, std::vector<ChunkPlace>& found);

/// Where the chunks of one dataset lie, and what was learnt of it so far. Any number of threads may
/// ask at once.
///
/// The first small reads ask the index, which looks only where their chunks can be. Once more than
/// a part of all chunks was asked for, a table of all is made, and serves all reads from then on:
/// no part of the index is decoded again. Of more than kMostInTable chunks there is no table: it
/// would take more memory than reads of such a dataset gain.
class ChunkStorage {
 public:
  ChunkStorage(MetadataSource& source, const ChunkGrid& grid, const DataLayoutMessage& layout,
               bool filtered);

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  /// Another one in the process has another.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  /// Chunks that reach beyond the extent are stored as they are.
  [[nodiscard]] bool filters_partial_chunks() const { return filters_partial_chunks_; }

  /// The chunks that exist, of those that hold selected elements; returns how many those are.
  /// Throws Error (format) if the index is damaged there.
  std::uint64_t locate(const BoundSelection& selection, std::vector<ChunkPlace>& found);

  /// All chunks that exist, each once.
  void for_each(const ChunkIndex::Each& each) { index().for_each(each); }

  static constexpr std::uint64_t kMostInTable = std::uint64_t{2} << 20U;

 private:
  struct Slot {
    Address address;  ///< undefined: no such chunk
    std::uint64_t size = 0;
    std::uint32_t filter_mask = 0;
  };
  using Table = std::vector<Slot>;  ///< by number

  const ChunkIndex& index();
  /// Null as long as there is none.
  const Table* table(std::uint64_t wanted);
  [[nodiscard]] bool pays(std::uint64_t wanted);
  void build_table();

  MetadataSource& source_;
  ChunkGrid grid_;
  DataLayoutMessage layout_;
  bool filtered_;
  bool filters_partial_chunks_;
  std::uint64_t id_;

  Mutex mutex_;  ///< of making the next two
  std::unique_ptr<ChunkIndex> index_;
  std::unique_ptr<Table> table_;
  std::atomic<const ChunkIndex*> known_index_{nullptr};
  std::atomic<const Table*> known_table_{nullptr};
  std::atomic<std::uint64_t> asked_{0};  ///< chunks asked for so far
  std::atomic<bool> no_table_{false};    ///< part of the index is damaged
};

}  // namespace onecast::storage
