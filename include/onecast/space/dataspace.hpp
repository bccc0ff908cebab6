#pragma once

#include <cstdint>
#include <vector>

#include "onecast/base/language.hpp"

namespace onecast {

/// The extents of an array in elements, slowest dimension first (C order).
using Shape = std::vector<std::uint64_t>;

/// The dataspace of a dataset or attribute: no element, one element, or an array. A value; none of
/// its functions communicates. @independent
class Dataspace {
 public:
  enum class Kind : std::uint8_t { scalar, simple, null };
  static constexpr std::size_t kMaxRank = 32;  ///< the largest number of dimensions in HDF5
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// Makes a scalar dataspace: one element.
  Dataspace() = default;
  /// Makes an array. A shape without dimensions is one element.
  Dataspace(Shape shape);  // NOLINT(google-explicit-constructor): a shape is a dataspace
  /// Makes an array that may be resized. An empty `max_shape` fixes the shape. Throws Error
  /// (invalid_argument) if `max_shape` has another number of dimensions or is below `shape` in one
  /// of them.
  Dataspace(Shape shape, Shape max_shape);
  /// Makes a null dataspace, which has no elements.
  static Dataspace null();

  [[nodiscard]] Kind kind() const { return kind_; }
  /// The extents of an array; empty for other kinds.
  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// The largest extent of each dimension; kUnlimited: no limit. Empty: fixed shape.
  [[nodiscard]] const Shape& max_shape() const { return max_shape_; }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  /// The number of elements: 1 for a scalar, 0 for a null dataspace. Throws Error
  /// (invalid_argument) if it does not fit in 64 bits.
  [[nodiscard]] std::uint64_t element_count() const;

  bool operator==(const Dataspace&) const = default;

 private:
  Kind kind_ = Kind::scalar;
  Shape shape_;
  Shape max_shape_;
};

/// A regular part of an array: in each dimension `count` blocks of `block` elements. The first
/// block begins at `start`; consecutive blocks begin `stride` elements apart. Each list has one
/// number for each dimension of the array. A count of 0 selects nothing. Blocks must lie inside the
/// array and must not overlap.
struct Hyperslab {
  Shape start;
  Shape count;
  Shape stride = {};  ///< empty: 1 everywhere
  Shape block = {};   ///< empty: 1 everywhere

  bool operator==(const Hyperslab&) const = default;
};

}  // namespace onecast
