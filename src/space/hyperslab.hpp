#pragma once

#include "base/namespaces.hpp"
#include "onecast/space/dataspace.hpp"

namespace onecast::space {

/// One dimension of a hyperslab.
struct HyperslabSide {
  std::uint64_t start, count, stride, block;

  [[nodiscard]] bool is_empty() const { return count == 0 || block == 0; }
  [[nodiscard]] bool is_unlimited() const {
    return count == Dataspace::kUnlimited || block == Dataspace::kUnlimited;
  }
  [[nodiscard]] bool overlaps() const { return count > 1 && stride < block; }
  /// The end of the last coordinate; false if it does not fit into 64 bits.
  [[nodiscard]] bool end(std::uint64_t& end) const {
    return !__builtin_mul_overflow(count - 1, stride, &end) &&
           !__builtin_add_overflow(end, block, &end) && !__builtin_add_overflow(end, start, &end);
  }
  /// A normal form with the same coordinates: adjacent blocks are joined.
  [[nodiscard]] HyperslabSide normal() const {
    HyperslabSide side = *this;
    if (side.is_unlimited()) return side;
    if (side.count == 1) side.stride = side.block;
    std::uint64_t whole = 0;
    if (side.stride == side.block && !__builtin_mul_overflow(side.count, side.block, &whole))
      side = {side.start, 1, whole, whole};
    return side;
  }
};

/// True if the given numbers have this rank.
inline bool has_rank(const Hyperslab& part, std::size_t rank) {
  const auto fits = [&](const Shape& s) { return s.empty() || s.size() == rank; };
  return part.start.size() == rank && part.count.size() == rank && fits(part.stride) &&
         fits(part.block);
}

/// Dimension d as it was given.
inline HyperslabSide side_of(const Hyperslab& part, std::size_t d) {
  return {part.start[d], part.count[d], part.stride.empty() ? 1 : part.stride[d],
          part.block.empty() ? 1 : part.block[d]};
}

}  // namespace onecast::space
