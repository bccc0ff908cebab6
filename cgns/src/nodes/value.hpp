#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/value_type.hpp"

namespace onecast::cgns {

/// Extents of a value, the fastest first, as CGNS writes them; the other way round than in HDF5.
using Dims = std::vector<std::uint64_t>;

/// Whether a value lies in the header of its dataset if it may: HDF5's limit of a header message,
/// with room. A size of 0 fits nothing.
constexpr bool fits_header(std::uint64_t elements, std::size_t size) {
  constexpr std::uint64_t kMost = 64'000;
  return size != 0 && elements <= kMost / size;
}

/// The number of elements. Throws Failure if it does not fit 64 bits.
std::uint64_t element_count(const Dims& dims);

/// The value that a new node gets.
struct Value {
  ValueType type = ValueType::MT;
  Dims dims = {};
  /// Elements of `type`; none: the value is to be written later.
  std::span<const std::byte> bytes = {};

  /// C1: a text. An empty one is a blank, since no value is empty.
  static Value text(std::string_view text) {
    if (text.empty()) text = " ";
    return {ValueType::C1, {text.size()}, std::as_bytes(std::span(text))};
  }
  /// Numbers; one dimension, or those given. They must outlive the value.
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
