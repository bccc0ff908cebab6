#pragma once

#include <cstddef>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

__extension__ using Uint128 = unsigned __int128;

/// Any number of any layout: magnitude * 2^exponent. The slow and exact way between numbers; what
/// is common has kernels of its own (number_kernels.hpp).
struct Scalar {
  enum class Kind : unsigned char { finite, infinite, nan };

  Uint128 magnitude = 0;
  int exponent = 0;
  Kind kind = Kind::finite;
  bool negative = false;
};

/// Can numbers of this type be Scalars? Of integers and bitfields up to 128 bits, of floats up to
/// 112 bits of mantissa and 24 of exponent.
bool is_scalar(const Datatype& type);

/// The number in `bytes`, which are one element of `type`.
Scalar load_scalar(const Datatype& type, const std::byte* bytes);

/// Stores a number: integers get the fraction cut off and the nearest value if it is out of range,
/// 0 for NaN; floats are rounded to the nearest, ties to even, and become infinite out of range.
void store_scalar(const Datatype& type, const Scalar& value, std::byte* bytes);

}  // namespace onecast::types
