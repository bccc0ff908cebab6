#pragma once

#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_selection.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/together/chunk_parts.hpp"
#include "objects/together/chunk_write_request.hpp"

namespace onecast::together {

/// A dataset of which ranks write new chunks.
struct ChunkTarget {
  ChunkWriteRequest request;
  EditedChunks* edited = nullptr;
  const DatasetInfo* info = nullptr;
  const ChunkGrid* grid = nullptr;
  std::size_t element = 0;

  /// Calls each(first element of the chunk, index among the selected elements, number of elements)
  /// for the part of a chunk that this rank writes.
  template <class F>
  void for_each_run(std::uint64_t number, F&& each) const {
    for_each_run_in_chunk(*request.selection, *grid, number, each);
  }
  /// Calls each(bytes) for these elements in stored form, once for all or for parts of them.
  template <class F>
  void for_each_part(std::uint64_t first, std::uint64_t count, F&& each) const {
    request.elements.for_each_part(
        first, count, element,
        [&](std::uint64_t, std::span<const std::byte> bytes) { each(bytes); });
  }
  [[nodiscard]] bool is_partial(std::uint64_t number) const {
    return grid->is_partial(grid->coordinates(number));
  }
};

/// A chunk that any rank writes.
struct WrittenChunk {
  const ChunkTarget* target;
  std::uint64_t number;
  SharedChunk chunk;
  int owner;  ///< the rank that assembles it

  [[nodiscard]] bool is_covered() const { return chunk.is_covered(*target->grid, number); }
  [[nodiscard]] bool needs_fill() const { return target->is_partial(number) || !is_covered(); }
};

}  // namespace onecast::together
