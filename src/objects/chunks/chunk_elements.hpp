#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/elements/piece_writer.hpp"
#include "objects/elements/stored_elements.hpp"

namespace onecast::chunks {

/// The elements that this rank writes to a chunked dataset by one call, chunk by chunk. The caller
/// keeps the selection and the elements.
class ChunkElements {
 public:
  ChunkElements(Node& dataset, const BoundSelection& selection, const StoredElements& elements)
      : info_(&dataset.dataset()),
        grid_(&chunks_of(*info_).grid()),
        selection_(&selection),
        elements_(elements) {}

  [[nodiscard]] const ChunkGrid& grid() const { return *grid_; }
  [[nodiscard]] const BoundSelection& selection() const { return *selection_; }
  [[nodiscard]] const StoredElements& elements() const { return elements_; }
  [[nodiscard]] bool are_filtered() const { return !info_->filters.empty(); }
  [[nodiscard]] std::size_t element_size() const { return info_->type.size(); }
  [[nodiscard]] ByteView fill_value() const { return info_->fill_value; }
  /// Returns the chunks that get elements, ascending.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const {
    return chunk_numbers(*selection_, *grid_);
  }

  /// Calls each(first element of the chunk, index among the selected elements, number of elements)
  /// for the runs in a chunk.
  template <class F>
  void for_each_run(std::uint64_t number, F&& each) const {
    for_each_run_in_chunk(*selection_, *grid_, number, each);
  }
  /// Calls each(first byte of the chunk, byte behind the last) for the runs in a chunk.
  template <class F>
  void for_each_range(std::uint64_t number, F&& each) const {
    for_each_run(number,
                 [&, size = element_size()](std::uint64_t at, std::uint64_t, std::uint64_t count) {
                   each(at * size, (at + count) * size);
                 });
  }
  /// Calls each(first byte of the chunk, bytes) for the elements in a chunk, in stored form.
  template <class F>
  void for_each_piece(std::uint64_t number, F&& each) const {
    for_each_run(number, [&, size = element_size()](std::uint64_t at, std::uint64_t first,
                                                    std::uint64_t count) {
      elements_.for_each_part(first, count, size,
                              [&](std::uint64_t from, std::span<const std::byte> part) {
                                each((at + from - first) * size, part);
                              });
    });
  }

  /// Writes the elements to the chunk's place in the file.
  void write(std::uint64_t number, PieceWriter& writer, Address chunk) const {
    for_each_piece(number, [&](std::uint64_t at, std::span<const std::byte> bytes) {
      writer.add(chunk + at, bytes);
    });
  }
  /// Copies the elements into the image of the chunk.
  void copy(std::uint64_t number, std::span<std::byte> image) const;
  /// Returns a new chunk with the elements, and with the fill value beyond the extent. The other
  /// bytes are undefined.
  [[nodiscard]] Buffer image(std::uint64_t number) const;
  /// Returns the chunk if it lies in the caller's memory in stored form.
  [[nodiscard]] std::optional<std::span<const std::byte>> in_memory(std::uint64_t number) const;

  /// Returns true if some elements of the chunk lie beyond the extent.
  [[nodiscard]] bool is_partial(std::uint64_t number) const {
    return grid_->is_partial(grid_->coordinates(number));
  }
  /// Returns true if no old element inside the extent is left.
  [[nodiscard]] bool is_whole(std::uint64_t number) const;

 private:
  const DatasetInfo* info_;
  const ChunkGrid* grid_;
  const BoundSelection* selection_;
  StoredElements elements_;
};

}  // namespace onecast::chunks
