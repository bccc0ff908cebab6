#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {

/// A dataset that is appended to along its first dimension. All ranks make equal calls of grow(),
/// without a message; the chunks get their places then, so that each rank writes its rows for
/// itself, from its memory to the file.
class GrowingDataset {
 public:
  /// @param row elements of a row, absent of a dataset with one dimension
  /// @param chunk_rows rows in a chunk
  /// @param in_bytes rows are counted in bytes, whatever the elements: calls name whole elements
  GrowingDataset(Group& group, const std::string& name, const Datatype& type,
                 std::optional<std::uint64_t> row, std::uint64_t chunk_rows,
                 const std::vector<Filter>& filters = {}, bool in_bytes = false);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Where the next batch begins: with filters, at a chunk.
  [[nodiscard]] std::uint64_t next_row() const;
  /// Appends rows from next_row() on. @param chunk_sizes stored bytes of the new chunks, of a
  /// dataset with filters
  void grow(std::uint64_t rows, std::span<const std::uint64_t> chunk_sizes = {});
  /// Gives up the rows from `rows` on, which grow() made. @collective @same; does not communicate
  void take_back(std::uint64_t rows);
  /// Writes rows that exist, without filters. @independent
  void write(std::uint64_t first_row, Bytes bytes);
  /// As write; several parts only of a dataset of bytes.
  void write(std::uint64_t first_row, std::span<const Bytes> parts);
  /// A write of rows, or of none, for File::write_multi; it refers to `bytes`.
  [[nodiscard]] WriteRequest request(std::uint64_t first_row, Bytes bytes) const;
  /// Writes chunks that the last grow() made, with filters. @independent
  void write_chunks(std::uint64_t first_row, const std::vector<std::vector<std::byte>>& chunks);
  /// Adds them to what write_placed_chunks() takes, which refers to them.
  void add_chunks(std::uint64_t first_row, const std::vector<std::vector<std::byte>>& chunks,
                  std::vector<PlacedChunk>& placed) const;

 private:
  [[nodiscard]] Shape start_of(std::uint64_t row) const;
  void resize(std::uint64_t rows);
  [[nodiscard]] Selection selected(std::uint64_t first_row, Bytes bytes) const;

  Dataset dataset_;
  std::optional<std::uint64_t> row_;
  std::uint64_t unit_;  ///< rows, as they are counted, of an element
  std::uint64_t row_bytes_;
  std::uint64_t chunk_rows_;
  bool filtered_;
  std::uint64_t rows_ = 0;
};

}  // namespace onecast::events::hdf5
