#pragma once

#include <compare>
#include <optional>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_grid.hpp"

/// Chunks in the order of B-tree keys: the slowest dimension first.
namespace onecast::structures {

inline std::strong_ordering compare_chunks(const ChunkCoordinates& a, const ChunkCoordinates& b,
                                           unsigned rank) {
  for (unsigned d = 0; d < rank; ++d)
    if (a[d] != b[d]) return a[d] <=> b[d];
  return std::strong_ordering::equal;
}

inline bool is_inside(const ChunkBox& box, const ChunkCoordinates& at, unsigned rank) {
  for (unsigned d = 0; d < rank; ++d)
    if (at[d] < box.first[d] || at[d] > box.last[d]) return false;
  return true;
}

/// The first chunk of the box at or after `at`.
inline std::optional<ChunkCoordinates> first_in_box(const ChunkBox& box, const ChunkCoordinates& at,
                                                    unsigned rank) {
  ChunkCoordinates next = at;
  unsigned d = 0;
  while (d < rank && at[d] >= box.first[d] && at[d] <= box.last[d]) ++d;
  if (d == rank) return next;
  if (at[d] > box.last[d]) {
    // Goes to the next row of an earlier dimension that has one.
    while (d > 0 && at[d - 1] == box.last[d - 1]) --d;
    if (d == 0) return std::nullopt;
    ++next[d - 1];
  }
  for (; d < rank; ++d) next[d] = box.first[d];
  return next;
}

/// True if one of the chunks in [from, to) may be in the box. Without `to`, all chunks from `from`
/// on count.
inline bool may_hold(const ChunkBox& box, const ChunkCoordinates& from, const ChunkCoordinates* to,
                     unsigned rank) {
  const auto next = first_in_box(box, from, rank);
  return next && (to == nullptr || compare_chunks(*next, *to, rank) < 0);
}

/// Checks that chunks are in order, without duplicates.
class AscendingChunks {
 public:
  explicit AscendingChunks(unsigned rank) : rank_(rank) {}

  [[nodiscard]] bool follows(const ChunkCoordinates& at) {
    const bool ok = !last_ || compare_chunks(*last_, at, rank_) < 0;
    last_ = at;
    return ok;
  }

 private:
  unsigned rank_;
  std::optional<ChunkCoordinates> last_;
};

}  // namespace onecast::structures
