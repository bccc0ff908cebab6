#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/encode_events.hpp"
#include "hdf5/event_layout.hpp"
#include "hdf5/growing_dataset.hpp"
#include "hdf5/sizes.hpp"
#include "model/spare_space.hpp"
#include "onecast/objects/file.hpp"

namespace onecast::events::hdf5 {

/// What all ranks must know of a batch before one of them writes it.
struct BatchShape {
  std::uint64_t events = 0;
  Identity first, last;
  bool is_ascending = true;
  std::vector<std::uint64_t> sizes;  ///< bytes of the columns
  std::vector<std::vector<std::uint64_t>>
      chunk_sizes;  ///< of each column, where chunks are filtered
};

BatchShape shape_of(const ColumnBatch& batch);

/// The place of a batch in the file.
struct BatchPlace {
  std::uint64_t first_event = 0;
  std::uint64_t number = 0;
  /// The position in each dataset with bytes. A batch without bytes there begins at the end of the
  /// dataset.
  std::vector<std::uint64_t> bases;
};

/// What a rank writes of its batch in a collective call. Without a place, it has no batch.
struct BatchBytes {
  const BatchPlace* place = nullptr;
  std::span<const Identity> identities = {};
  std::span<const std::uint64_t> offsets = {};
  std::uint64_t blob_bytes = 0;
  std::vector<Bytes> columns = {};          ///< not of datasets with filters
  std::vector<AllocatedChunk> chunks = {};  ///< of datasets with filters
};

/// A new file of version 2 that batches are appended to.
class EventFile {
 public:
  /// @collective @same
  EventFile(const std::string& path, const Communicator& communicator, const EventLayout& layout,
            const Sizes& sizes, const ProductList& products);

  /// Allocates space for a batch, or for several that are appended as one. @replicated
  BatchPlace append(const BatchShape& shape, std::uint64_t batches = 1);
  /// The state that append() changes.
  struct State {
    bool is_ascending = true;
    Identity last;
    std::vector<std::uint64_t> rows;  ///< of all datasets
  };
  [[nodiscard]] State state();
  /// Notes that events are missing: finish() will store it, and needs the reserved space.
  /// @replicated
  void interrupt();
  /// Calls interrupt(), and takes back what was appended since `before`, as the disk may be full.
  /// @replicated
  void take_back(const State& before);
  /// Writes a batch, whose offsets include their bases, or parts of it. @independent
  void write(const BatchPlace& place, const ColumnBatch& batch);
  void write_identities(const BatchPlace& place, std::span<const Identity> identities);
  /// Writes the rows from the first event of the batch on; they count from the beginning of the
  /// datasets.
  void write_offsets(const BatchPlace& place, std::span<const std::uint64_t> offsets);
  /// Writes the row of Batches, or the rows of several batches.
  void write_row(const BatchPlace& place, std::uint64_t blob_bytes);
  void write_rows(const BatchPlace& place, std::span<const std::uint64_t> rows);
  /// Writes the batches of all ranks, for which append() has allocated space, by one transfer, and
  /// by a second one if chunks have filters.
  /// @param failure what keeps this rank from it: all ranks throw it. @collective @local
  void write_together(const BatchBytes& mine, const std::exception_ptr& failure);
  [[nodiscard]] GrowingDataset& data(std::size_t column) { return data_[column]; }

  /// True if nodes that write to one stripe may slow each other down; write_together() avoids it.
  [[nodiscard]] bool has_stripes() const { return file_.metadata_report().stripe_size != 0; }
  /// @collective @same
  void flush() { file_.flush(); }
  /// Adds the index, and closes the file. Returns the result of write_index(). @collective @same
  std::optional<Identity> finish();

 private:
  [[nodiscard]] std::vector<GrowingDataset*> datasets();
  [[nodiscard]] std::vector<std::uint64_t> row_of(const BatchPlace& place,
                                                  std::uint64_t blob_bytes) const;
  void describe(const Sizes& sizes, const ProductList& products);
  void create_datasets(const Sizes& sizes, const ProductList& products);

  EventLayout layout_;
  std::size_t products_;
  File file_;
  Group group_;
  std::optional<GrowingDataset> identities_, offsets_, batches_;
  std::vector<GrowingDataset> data_;
  bool is_ascending_ = true;
  bool is_interrupted_ = false;
  Identity last_;
  SpareSpace spare_;  ///< reserved for the last metadata
};

/// Writes the order of the entries by identity, unless that is the order of the file. If it writes
/// one, returns an identity that several entries have, if any. @collective @same
std::optional<Identity> write_index(Group& group, bool is_ascending);

}  // namespace onecast::events::hdf5
