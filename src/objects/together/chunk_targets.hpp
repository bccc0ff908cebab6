#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_elements.hpp"
#include "objects/chunks/edited_chunks.hpp"
#include "objects/together/chunk_parts.hpp"

namespace onecast::together {

/// A dataset of which ranks write new chunks, with the elements of this rank.
struct ChunkTarget : ChunkElements {
  EditedChunks* edited;
};

/// A chunk that any rank writes.
struct WrittenChunk {
  const ChunkTarget* target;
  std::uint64_t number;
  SharedChunk chunk;
  int owner;  ///< the rank that assembles it

  [[nodiscard]] bool is_covered() const { return chunk.is_covered(target->grid(), number); }
  [[nodiscard]] bool needs_fill() const { return target->is_partial(number) || !is_covered(); }
};

}  // namespace onecast::together
