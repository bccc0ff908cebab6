#pragma once

#include <cstdint>
#include <vector>

namespace onecast {

/// Extents of an array in elements, slowest dimension first (C order).
using Shape = std::vector<std::uint64_t>;

/// What a dataset or attribute holds: nothing, one element, or an array of them. A value; nothing
/// here communicates. @independent
class Dataspace {
 public:
  enum class Kind : std::uint8_t { scalar, simple, null };
  static constexpr std::size_t kMaxRank = 32;  ///< dimensions an HDF5 dataspace may have
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// One element.
  Dataspace() = default;
  /// An array; a shape without dimensions is one element.
  Dataspace(Shape shape);  // NOLINT(google-explicit-constructor): a shape is a dataspace
  /// An array that may grow. Throws Error (invalid_argument) if `max_shape` has another rank or is
  /// below `shape` in a dimension; empty: fixed.
  Dataspace(Shape shape, Shape max_shape);
  /// No elements at all.
  static Dataspace null();

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Empty unless it is an array.
  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// How large each dimension may grow; kUnlimited without a limit. Empty: fixed.
  [[nodiscard]] const Shape& max_shape() const { return max_shape_; }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  /// The product of the extents: 1 of a single element, 0 of none. Throws Error (invalid_argument)
  /// if it does not fit 64 bits.
  [[nodiscard]] std::uint64_t element_count() const;

  bool operator==(const Dataspace&) const = default;

 private:
  Kind kind_ = Kind::scalar;
  Shape shape_;
  Shape max_shape_;
};

/// A regular part of an array: in each dimension `count` blocks of `block` elements, the first at
/// `start`, the starts of blocks `stride` elements apart. All have as many numbers as the array has
/// dimensions; a count of 0 selects nothing. Blocks must lie inside the array and must not overlap.
struct Hyperslab {
  Shape start;
  Shape count;
  Shape stride = {};  ///< empty: 1 everywhere
  Shape block = {};   ///< empty: 1 everywhere

  bool operator==(const Hyperslab&) const = default;
};

}  // namespace onecast
