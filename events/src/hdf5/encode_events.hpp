#pragma once

#include "hdf5/event_layout.hpp"
#include "onecast/filters/filter.hpp"

/// From events to the columns and offsets of a batch, in the lanes' threads.
namespace onecast::events::hdf5 {

/// The products, compressed each or all as the layout says. `ends` are the first numbers of the
/// event's offsets: where each product ends, as stored or, where the event is compressed, before.
EncodedEvent encode_event(const EventLayout& layout, const Event& event);

/// The bytes of a batch for one dataset: as they are, or in chunks as HDF5 stores them.
struct Column {
  std::uint64_t size = 0;  ///< bytes before the chunks were filtered
  std::vector<Bytes> parts =
      {};  ///< one behind the other, in the events of the batch or in `bytes`
  std::vector<std::byte> bytes = {};
  std::vector<std::vector<std::byte>> chunks = {};
};

/// A batch as it is written. The rows of Offsets count from where the batch begins in each dataset.
struct ColumnBatch : EncodedBatch {
  std::vector<Identity> identities;
  std::vector<Column> columns;
  std::vector<std::uint64_t> offsets;

  /// Where all events go to one dataset.
  [[nodiscard]] std::uint64_t blob_bytes() const { return columns.empty() ? 0 : columns[0].size; }
};

/// May the bytes of a dataset lie in several parts?
enum class Parts : std::uint8_t { may_stay, become_one };

/// Where parts may stay, the bytes of large products are left in the events of the batch, those of
/// small ones are joined.
/// @param chunk_bytes of each dataset, where the unit of compression is the chunk
std::unique_ptr<ColumnBatch> encode_batch(const EventLayout& layout, std::size_t products,
                                          const Batch& batch,
                                          const std::vector<std::uint64_t>& chunk_bytes,
                                          Parts parts);

/// The filters of a dataset with such chunks: shuffle, if elements have several bytes, and the
/// compression, LZ4 or ZSTD.
std::vector<Filter> filters_of(const Compression& compression, std::size_t element_bytes = 1);

/// A column cut into chunks, each as HDF5 stores it with the filter; the last is filled with zeros.
std::vector<std::vector<std::byte>> encode_chunks(const Compression& compression, Bytes column,
                                                  std::uint64_t chunk_bytes);

/// Counts the offsets from the beginning of the datasets on. @param bases where the batch begins in
/// each of them
void add_bases(const EventLayout& layout, std::size_t products,
               const std::vector<std::uint64_t>& bases, std::vector<std::uint64_t>& offsets);

}  // namespace onecast::events::hdf5
