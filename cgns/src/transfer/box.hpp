#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nodes/value.hpp"
#include "onecast/space/selection.hpp"

/// Boxes of arrays, as the API gives them: first and last of each dimension, the fastest first.
namespace onecast::cgns {

/// Elements [start, end) in each dimension, from 0.
struct Box {
  Dims start, end;

  [[nodiscard]] bool is_all_of(const Dims& dims) const;
  /// The extents.
  [[nodiscard]] Dims shape() const;
};

/// Planes of rind at the two sides of each dimension: low, high, low, high ... None: empty.
using Rind = std::vector<int>;

/// Which element has the index 1: the first of the array, or the first that is no rind.
enum class Counting : std::uint8_t { from_first, from_core };

/// A box from first and last indices as the API has them. Throws Failure, which names the bounds,
/// if it leaves the array or is empty.
template <class Size>
Box box_of(const Dims& dims, const Rind& rind, Counting counting, const Size* first,
           const Size* last);
/// All of an array.
Box all_of(const Dims& dims);

/// In the order of HDF5. @param reversed see dims_of
Selection selection_of(const Box& box, bool reversed);
Shape shape_of(const Dims& dims, bool reversed);

namespace detail {
Box checked_box(const Dims& dims, const Rind& rind, Counting counting,
                std::span<const std::int64_t> first, std::span<const std::int64_t> last);
}

template <class Size>
Box box_of(const Dims& dims, const Rind& rind, Counting counting, const Size* first,
           const Size* last) {
  if (first == nullptr || last == nullptr) return detail::checked_box(dims, rind, counting, {}, {});
  return detail::checked_box(dims, rind, counting,
                             std::vector<std::int64_t>(first, first + dims.size()),
                             std::vector<std::int64_t>(last, last + dims.size()));
}

}  // namespace onecast::cgns
