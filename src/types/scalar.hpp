#pragma once

#include <cstddef>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

__extension__ using Uint128 = unsigned __int128;

/// Any number of any layout: magnitude * 2^exponent. This is the slow, exact way between numbers;
/// common types have kernels of their own (number_kernels.hpp).
struct Scalar {
  enum class Kind : unsigned char { finite, infinite, nan };

  Uint128 magnitude = 0;
  int exponent = 0;
  Kind kind = Kind::finite;
  bool negative = false;
};

/// True if numbers of this type can be Scalars: integers and bitfields up to 128 bits, floats up to
/// 112 bits of mantissa and 24 of exponent.
bool is_scalar(const Datatype& type);

/// The number in `bytes`, which are one element of `type`.
Scalar load_scalar(const Datatype& type, const std::byte* bytes);

/// Stores a number. Integers: the fraction is truncated, values out of range become the nearest
/// one, NaN becomes 0. Floats: rounded to nearest, ties to even; infinity if out of range.
void store_scalar(const Datatype& type, const Scalar& value, std::byte* bytes);

}  // namespace onecast::types
