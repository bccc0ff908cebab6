#pragma once

#include "hdf5/event_layout.hpp"
#include "onecast/filters/filter.hpp"

/// Encodes events as the columns and offsets of a batch, in the lanes' threads.
namespace onecast::events::hdf5 {

/// Encodes the products, compressed one by one or as a whole, as the layout requires. `ends` begins
/// with the event's offsets: the end of each product as it is stored or, if the event is compressed
/// as a whole, before compression.
EncodedEvent encode_event(const EventLayout& layout, const Event& event);

/// The bytes of a batch for one dataset: as they are, or in chunks as HDF5 stores them.
struct Column {
  std::uint64_t size = 0;  ///< bytes before the chunks were filtered
  std::vector<Bytes> parts =
      {};  ///< one behind the other, in the events of the batch or in `bytes`
  std::vector<std::byte> bytes = {};
  std::vector<std::vector<std::byte>> chunks = {};
};

/// An encoded batch. The rows of Offsets count from the beginning of the batch in each dataset.
struct ColumnBatch : EncodedBatch {
  std::vector<Identity> identities;
  std::vector<Column> columns;
  std::vector<std::uint64_t> offsets;

  /// Used if all events go to one dataset.
  [[nodiscard]] std::uint64_t blob_bytes() const { return columns.empty() ? 0 : columns[0].size; }
};

/// States if the bytes of a dataset may lie in several parts.
enum class Parts : std::uint8_t { may_stay, become_one };

/// Encodes a batch. If parts may stay, the bytes of large products remain in the events of the
/// batch, and those of small products are joined.
/// @param chunk_bytes of each dataset, if the unit of compression is the chunk
std::unique_ptr<ColumnBatch> encode_batch(const EventLayout& layout, std::size_t products,
                                          const Batch& batch,
                                          const std::vector<std::uint64_t>& chunk_bytes,
                                          Parts parts);

/// Returns the filters of a dataset with compressed chunks: shuffle if elements have several bytes,
/// then the compression, LZ4 or ZSTD.
std::vector<Filter> filters_of(const Compression& compression, std::size_t element_bytes = 1);

/// Returns the chunks of a column as HDF5 stores them with the filter; the last one is padded with
/// zeros.
std::vector<std::vector<std::byte>> encode_chunks(const Compression& compression, Bytes column,
                                                  std::uint64_t chunk_bytes);

/// Changes the offsets to count from the beginning of the datasets. @param bases where the batch
/// begins in each of them
void add_bases(const EventLayout& layout, std::size_t products,
               const std::vector<std::uint64_t>& bases, std::vector<std::uint64_t>& offsets);

}  // namespace onecast::events::hdf5
