#include "structures/chunks/chunk_numbering.hpp"

namespace onecast::structures {

std::optional<ChunkNumbering> ChunkNumbering::of(const ChunkGrid& grid) {
  ChunkNumbering n;
  n.rank_ = grid.rank;
  unsigned slowest = 0;
  for (unsigned d = 0; d < grid.rank; ++d)
    if (grid.max_count[d] == ChunkGrid::kUnlimited) slowest = d;
  n.order_[0] = slowest;
  for (unsigned d = 0, i = 1; d < grid.rank; ++d)
    if (d != slowest) n.order_[i++] = d;

  std::uint64_t step = 1;
  for (unsigned i = grid.rank; i-- > 0;) {
    n.step_[i] = step;
    const std::uint64_t count = grid.max_count[n.order_[i]];
    if (i == 0 && count == ChunkGrid::kUnlimited) {
      // The size is the largest that 64-bit numbers allow.
      n.size_ = ~std::uint64_t{0} / step * step;
      if (grid.count[slowest] > n.size_ / step) return std::nullopt;
      return n;
    }
    if (count == 0 || __builtin_mul_overflow(step, count, &step)) return std::nullopt;
  }
  n.size_ = step;
  return n;
}

std::uint64_t ChunkNumbering::needed(const ChunkGrid& grid) const {
  ChunkCoordinates last;
  for (unsigned d = 0; d < rank_; ++d) {
    if (grid.count[d] == 0) return 0;
    last[d] = grid.count[d] - 1;
  }
  return number(last) + 1;
}

}  // namespace onecast::structures
