#pragma once

#include <cstdint>
#include <vector>

namespace onecast {

/// Extents of an array, slowest dimension first.
using Shape = std::vector<std::uint64_t>;

/// What a dataset or attribute holds: nothing, one element, or an array of them.
class Dataspace {
 public:
  enum class Kind : std::uint8_t { scalar, simple, null };
  static constexpr std::size_t kMaxRank = 32;  ///< dimensions an HDF5 dataspace may have
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// One element.
  Dataspace() = default;
  /// An array; a shape without dimensions is one element.
  Dataspace(Shape shape);  // NOLINT(google-explicit-constructor): a shape is a dataspace
  Dataspace(Shape shape, Shape max_shape);
  static Dataspace null();

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// How large each dimension may grow; kUnlimited without a limit. Empty: fixed.
  [[nodiscard]] const Shape& max_shape() const { return max_shape_; }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  /// Throws Error (invalid_argument) if the product does not fit 64 bits.
  [[nodiscard]] std::uint64_t element_count() const;

  bool operator==(const Dataspace&) const = default;

 private:
  Kind kind_ = Kind::scalar;
  Shape shape_;
  Shape max_shape_;
};

/// A regular part of an array: `count` blocks of `block` elements, `stride` apart, in each dimension.
struct Hyperslab {
  Shape start;
  Shape count;
  Shape stride;  ///< empty: 1 everywhere
  Shape block;   ///< empty: 1 everywhere

  bool operator==(const Hyperslab&) const = default;
};

}  // namespace onecast
