#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onecast/events/product.hpp"
#include "onecast/objects/group.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {

/// A dataset that grows along its first dimension. All ranks make equal calls of grow(), without
/// communication, which allocates the chunks; then each rank writes its rows by itself, from its
/// memory to the file.
class GrowingDataset {
 public:
  /// @param row elements of a row; nothing if the dataset has one dimension
  /// @param chunk_rows rows in a chunk
  /// @param in_bytes rows are counted in bytes, whatever the elements: calls name whole elements
  GrowingDataset(Group& group, const std::string& name, const Datatype& type,
                 std::optional<std::uint64_t> row, std::uint64_t chunk_rows,
                 const std::vector<Filter>& filters = {}, bool in_bytes = false);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Returns the row at which the next batch begins: with filters, the first row of a chunk.
  [[nodiscard]] std::uint64_t next_row() const;
  /// Appends rows from next_row() on. @param chunk_sizes stored bytes of the new chunks, for a
  /// dataset with filters
  void grow(std::uint64_t rows, std::span<const std::uint64_t> chunk_sizes = {});
  /// Removes the rows from `rows` on, which grow() made. @replicated
  void take_back(std::uint64_t rows);
  /// Writes rows that exist, without filters. @independent
  void write(std::uint64_t first_row, Bytes bytes);
  /// Writes rows from several parts, which only a dataset of bytes may have.
  void write(std::uint64_t first_row, std::span<const Bytes> parts);
  /// Returns the request to write rows, or none, for File::write_multi; it refers to `bytes`.
  [[nodiscard]] WriteRequest request(std::uint64_t first_row, Bytes bytes) const;
  /// Writes chunks that the last grow() made, with filters. @independent
  void write_chunks(std::uint64_t first_row, const std::vector<std::vector<std::byte>>& chunks);
  /// Adds the chunks to the arguments of write_allocated_chunks(), which refer to them.
  void add_chunks(std::uint64_t first_row, const std::vector<std::vector<std::byte>>& chunks,
                  std::vector<AllocatedChunk>& placed) const;

 private:
  [[nodiscard]] Shape start_of(std::uint64_t row) const;
  void resize(std::uint64_t rows);
  [[nodiscard]] Selection selected(std::uint64_t first_row, Bytes bytes) const;

  Dataset dataset_;
  std::optional<std::uint64_t> row_;
  std::uint64_t unit_;  ///< counted rows of an element
  std::uint64_t row_bytes_;
  std::uint64_t chunk_rows_;
  bool filtered_;
  std::uint64_t rows_ = 0;
};

}  // namespace onecast::events::hdf5
