#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nodes/value.hpp"
#include "onecast/space/selection.hpp"

/// Boxes of arrays in the form of the API: first and last index of each dimension, the fastest
/// first.
namespace onecast::cgns {

/// The elements [start, end) in each dimension, counted from 0.
struct Box {
  Dims start, end;

  [[nodiscard]] bool is_all_of(const Dims& dims) const;
  /// The extents of the box.
  [[nodiscard]] Dims shape() const;
};

/// The numbers of rind planes on the two sides of each dimension (low, high, low, high, ...); empty
/// if there is no rind.
using Rind = std::vector<int>;

/// The element that has the index 1: the first of the array, or the first of the core.
enum class Counting : std::uint8_t { from_first, from_core };

/// Makes a box of first and last indices of the API. Throws Failure, which names the bounds, if it
/// is not inside the array or is empty.
template <class Size>
Box box_of(const Dims& dims, const Rind& rind, Counting counting, const Size* first,
           const Size* last);
/// The box of a whole array.
Box all_of(const Dims& dims);

/// Convert to the order of HDF5. @param reversed see dims_of
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
