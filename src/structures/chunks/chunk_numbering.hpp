#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_grid.hpp"

namespace onecast::structures {

/// Numbers of chunks that do not change when the dataset grows: in C order among all chunks that
/// may ever exist, where the unlimited dimension, of which there is at most one, is the slowest.
class ChunkNumbering {
 public:
  /// Returns nothing if the numbers would not fit into 64 bits.
  static std::optional<ChunkNumbering> of(const ChunkGrid& grid);

  /// The number of possible chunks.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The number of the last chunk inside the extent, plus one.
  [[nodiscard]] std::uint64_t needed(const ChunkGrid& grid) const;

  [[nodiscard]] std::uint64_t number(const ChunkCoordinates& at) const {
    std::uint64_t n = 0;
    for (unsigned i = 0; i < rank_; ++i) n += at[order_[i]] * step_[i];
    return n;
  }
  [[nodiscard]] ChunkCoordinates coordinates(std::uint64_t number) const {
    ChunkCoordinates at;
    for (unsigned i = 0; i < rank_; ++i) {
      at[order_[i]] = number / step_[i];
      number %= step_[i];
    }
    return at;
  }

  /// Calls each(first number, count, coordinates, reference to the coordinate that grows with the
  /// number) for the rows of adjacent numbers of a box, ascending.
  template <class F>
  void for_each_row(const ChunkBox& box, F&& each) const {
    ChunkCoordinates at = box.first;
    const unsigned fastest = order_[rank_ - 1];
    const std::uint64_t count = box.last[fastest] - box.first[fastest] + 1;
    for (;;) {
      at[fastest] = box.first[fastest];
      each(number(at), count, at, at[fastest]);
      unsigned i = rank_ - 1;
      for (; i > 0; --i) {
        const unsigned d = order_[i - 1];
        if (at[d]++ < box.last[d]) break;
        at[d] = box.first[d];
      }
      if (i == 0) return;
    }
  }

 private:
  unsigned rank_ = 0;
  std::uint64_t size_ = 0;
  std::array<unsigned, kMaxRank> order_;  ///< dimensions, slowest first
  ChunkCoordinates step_;                 ///< between neighbours, in the order of order_
};

}  // namespace onecast::structures
