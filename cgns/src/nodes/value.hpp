#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/value_type.hpp"

namespace onecast::cgns {

/// The extents of a value, the fastest first, as in CGNS: the reverse of HDF5's order.
using Dims = std::vector<std::uint64_t>;

/// True if a value fits the header of its dataset: HDF5's limit for a header message, minus some
/// room. A size of 0 never fits.
constexpr bool fits_header(std::uint64_t elements, std::size_t size) {
  constexpr std::uint64_t kMost = 64'000;
  return size != 0 && elements <= kMost / size;
}

/// Returns the number of elements. Throws Failure if it does not fit in 64 bits.
std::uint64_t element_count(const Dims& dims);

/// The value of a new node.
struct Value {
  ValueType type = ValueType::MT;
  Dims dims = {};
  /// The elements, of `type`; empty if they are written later.
  std::span<const std::byte> bytes = {};

  /// Makes a text (C1). An empty text becomes a blank, because values must not be empty.
  static Value text(std::string_view text) {
    if (text.empty()) text = " ";
    return {ValueType::C1, {text.size()}, std::as_bytes(std::span(text))};
  }
  /// Makes a value of numbers, with one dimension or the given ones. The numbers must outlive it.
  template <class T>
  static Value numbers(std::span<const T> numbers, Dims dims = {}) {
    if (dims.empty()) dims = {numbers.size()};
    return {value_type<T>(), std::move(dims), std::as_bytes(numbers)};
  }
  template <class T>
  static Value number(const T& number) {
    return numbers(std::span<const T>(&number, 1));
  }
};

}  // namespace onecast::cgns
