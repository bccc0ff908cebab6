#include "hdf5/growing_dataset.hpp"

#include "onecast/objects/gathered_write.hpp"

namespace onecast::events::hdf5 {

GrowingDataset::GrowingDataset(Group& group, const std::string& name, const Datatype& type,
                               std::optional<std::uint64_t> row, std::uint64_t chunk_rows,
                               const std::vector<Filter>& filters, bool in_bytes)
    : row_(row),
      unit_(in_bytes ? type.size() : 1),
      row_bytes_(type.size() * row.value_or(1) / unit_),
      chunk_rows_(chunk_rows),
      filtered_(!filters.empty()) {
  Shape shape{0};
  Shape most{Dataspace::kUnlimited};
  Shape chunk{chunk_rows / unit_};
  if (row) {
    shape.push_back(*row);
    most.push_back(*row);
    chunk.push_back(*row);
  }
  dataset_ = group.create_dataset(
      name, {.type = type,
             .space = Dataspace(shape, most),
             .options = {.layout = Layout::chunked, .chunk = chunk, .filters = filters}});
}

std::uint64_t GrowingDataset::next_row() const {
  return filtered_ ? (rows_ + chunk_rows_ - 1) / chunk_rows_ * chunk_rows_ : rows_;
}

Shape GrowingDataset::start_of(std::uint64_t row) const {
  Shape start{row / unit_};
  if (row_) start.push_back(0);
  return start;
}

void GrowingDataset::resize(std::uint64_t rows) {
  Shape shape = start_of(rows);
  if (row_) shape.back() = *row_;
  dataset_.resize(shape);
  rows_ = rows;
}

void GrowingDataset::take_back(std::uint64_t rows) {
  if (rows < rows_) resize(rows);
}

void GrowingDataset::grow(std::uint64_t rows, std::span<const std::uint64_t> chunk_sizes) {
  if (rows == 0) return;
  const std::uint64_t first = next_row();
  // The chunk that holds the last row exists already; new chunks follow it.
  std::uint64_t at = (rows_ + chunk_rows_ - 1) / chunk_rows_ * chunk_rows_;
  resize(first + rows);
  std::vector<NewChunk> places;
  for (std::size_t i = 0; at < rows_; at += chunk_rows_, ++i)
    places.push_back({.start = start_of(at), .size = filtered_ ? chunk_sizes[i] : 0});
  allocate_chunks(dataset_, places);
}

Selection GrowingDataset::selected(std::uint64_t first_row, Bytes bytes) const {
  const std::uint64_t rows = bytes.size() / row_bytes_;
  return dataset_.rows(first_row / unit_, (first_row + rows) / unit_);
}

void GrowingDataset::write(std::uint64_t first_row, Bytes bytes) {
  if (!bytes.empty()) dataset_.write(bytes, selected(first_row, bytes));
}

void GrowingDataset::write(std::uint64_t first_row, std::span<const Bytes> parts) {
  if (parts.size() == 1)
    write(first_row, parts.front());
  else if (!parts.empty())
    write_gathered(dataset_, first_row, parts);
}

WriteRequest GrowingDataset::request(std::uint64_t first_row, Bytes bytes) const {
  return {dataset_, bytes, bytes.empty() ? Selection::none() : selected(first_row, bytes)};
}

void GrowingDataset::write_chunks(std::uint64_t first_row,
                                  const std::vector<std::vector<std::byte>>& chunks) {
  for (std::size_t i = 0; i < chunks.size(); ++i)
    write_allocated_chunk(dataset_, start_of(first_row + i * chunk_rows_), chunks[i]);
}

void GrowingDataset::add_chunks(std::uint64_t first_row,
                                const std::vector<std::vector<std::byte>>& chunks,
                                std::vector<AllocatedChunk>& placed) const {
  for (std::size_t i = 0; i < chunks.size(); ++i)
    placed.push_back({dataset_, start_of(first_row + i * chunk_rows_), chunks[i]});
}

}  // namespace onecast::events::hdf5
