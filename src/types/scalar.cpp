#include "types/scalar.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace onecast::types {
namespace {

constexpr int kBits = 128;

constexpr Uint128 low_bits(unsigned count) {
  return count >= kBits ? ~Uint128{0} : (Uint128{1} << count) - 1;
}

int bit_width(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  const auto low = static_cast<std::uint64_t>(value);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

/// The index of the byte with this significance.
std::size_t position(std::size_t significance, std::size_t size, ByteOrder order) {
  if (order == ByteOrder::little) return significance;
  const std::size_t from_end = size - 1 - significance;
  return order == ByteOrder::big ? from_end : from_end ^ 1U;
}

/// Reads `count` bits from bit `offset` on, of a number of `size` bytes in this byte order.
Uint128 get_bits(const std::byte* bytes, std::size_t size, ByteOrder order, std::size_t offset,
                 unsigned count) {
  Uint128 value = 0;
  const unsigned shift = offset % 8;
  const std::size_t first = offset / 8;
  const std::size_t last = (offset + count - 1) / 8;
  for (std::size_t i = first; i <= last; ++i) {
    const auto byte = Uint128{std::to_integer<unsigned>(bytes[position(i, size, order)])};
    const auto at = static_cast<int>(8 * (i - first)) - static_cast<int>(shift);
    if (at < 0)
      value |= byte >> static_cast<unsigned>(-at);
    else if (at < kBits)
      value |= byte << static_cast<unsigned>(at);
  }
  return value & low_bits(count);
}

/// Writes `value` to the bits that get_bits() would read, which must all be 0.
void put_bits(std::byte* bytes, std::size_t size, ByteOrder order, std::size_t offset,
              unsigned count, Uint128 value) {
  value &= low_bits(count);
  const unsigned shift = offset % 8;
  const std::size_t first = offset / 8;
  const std::size_t last = (offset + count - 1) / 8;
  for (std::size_t i = first; i <= last; ++i) {
    const auto at = static_cast<int>(8 * (i - first)) - static_cast<int>(shift);
    const Uint128 part = at < 0       ? value << static_cast<unsigned>(-at)
                         : at < kBits ? value >> static_cast<unsigned>(at)
                                      : 0;
    bytes[position(i, size, order)] |= static_cast<std::byte>(part & 0xffU);
  }
}

Scalar load_float(const Datatype& type, const std::byte* bytes) {
  const FloatLayout f = type.float_layout();
  const auto field = [&](std::size_t location, unsigned count) {
    return get_bits(bytes, type.size(), type.byte_order(), location, count);
  };
  Scalar s;
  s.negative = field(f.sign_location, 1) != 0;
  s.magnitude = field(f.mantissa_location, f.mantissa_size);
  const auto biased = static_cast<std::uint64_t>(field(f.exponent_location, f.exponent_size));
  const bool implied = f.normalization == Normalization::implied;
  if (biased == low_bits(f.exponent_size)) {
    // The leading bit, if stored, does not tell infinity from NaN.
    const Uint128 rest = implied ? s.magnitude : s.magnitude & low_bits(f.mantissa_size - 1U);
    s.kind = rest == 0 ? Scalar::Kind::infinite : Scalar::Kind::nan;
    return s;
  }
  if (implied && biased != 0) s.magnitude |= Uint128{1} << f.mantissa_size;
  const std::int64_t fraction = implied ? f.mantissa_size : f.mantissa_size - 1;
  const auto exponent = static_cast<std::int64_t>(std::max<std::uint64_t>(biased, 1));
  s.exponent = static_cast<int>(std::clamp<std::int64_t>(
      exponent - std::int64_t{f.exponent_bias} - fraction, -1'000'000'000, 1'000'000'000));
  return s;
}

/// Returns magnitude >> by, rounded to nearest, ties to even.
Uint128 rounded_shift(Uint128 magnitude, int by) {
  if (by <= 0) return magnitude << static_cast<unsigned>(-by);
  if (by > kBits) return 0;
  const Uint128 whole = by == kBits ? 0 : magnitude >> static_cast<unsigned>(by);
  const Uint128 half = Uint128{1} << static_cast<unsigned>(by - 1);
  const Uint128 rest = magnitude & low_bits(static_cast<unsigned>(by));
  const bool up = rest > half || (rest == half && (whole & 1U) != 0);
  return whole + (up ? 1 : 0);
}

void store_float(const Datatype& type, const Scalar& s, std::byte* bytes) {
  const FloatLayout f = type.float_layout();
  const bool implied = f.normalization == Normalization::implied;
  const int digits = implied ? f.mantissa_size + 1 : f.mantissa_size;
  const auto top = static_cast<std::int64_t>(low_bits(f.exponent_size));
  std::int64_t biased = 0;
  Uint128 mantissa = 0;
  const Uint128 leading = Uint128{1} << static_cast<unsigned>(digits - 1);
  if (s.kind == Scalar::Kind::finite && s.magnitude != 0) {
    // The exponent for which the mantissa has all its digits; below the lowest exponent it has
    // fewer.
    const int width = bit_width(s.magnitude);
    biased = std::int64_t{s.exponent} + width - 1 + std::int64_t{f.exponent_bias};
    const std::int64_t missing = std::max<std::int64_t>(1 - biased, 0);
    const auto shift =
        static_cast<int>(std::min<std::int64_t>(width - std::int64_t{digits} + missing, kBits + 1));
    mantissa = rounded_shift(s.magnitude, shift);
    biased = std::max<std::int64_t>(biased, 1);
    if (mantissa == leading << 1U) {
      mantissa = leading;
      ++biased;
    }
    if (mantissa < leading) biased = 0;
  }
  if (s.kind != Scalar::Kind::finite || biased >= top) {
    biased = top;
    mantissa = leading;
    if (s.kind == Scalar::Kind::nan) mantissa |= leading >> 1U;
  }
  std::memset(bytes, 0, type.size());
  const auto put = [&](std::size_t location, unsigned count, Uint128 value) {
    put_bits(bytes, type.size(), type.byte_order(), location, count, value);
  };
  put(f.sign_location, 1, s.negative ? 1 : 0);
  put(f.exponent_location, f.exponent_size, static_cast<Uint128>(biased));
  put(f.mantissa_location, f.mantissa_size, implied ? mantissa & (leading - 1) : mantissa);
}

Scalar load_integer(const Datatype& type, const std::byte* bytes) {
  const unsigned precision = type.bits().precision;
  Scalar s;
  s.magnitude = get_bits(bytes, type.size(), type.byte_order(), type.bits().offset, precision);
  s.negative = type.is_signed() && (s.magnitude >> (precision - 1) & 1U) != 0;
  if (s.negative) s.magnitude = (~s.magnitude & low_bits(precision)) + 1;
  return s;
}

/// The magnitude without its fraction; all bits set if it is too large.
Uint128 whole_part(const Scalar& s) {
  if (s.kind == Scalar::Kind::nan) return 0;
  if (s.kind == Scalar::Kind::infinite) return ~Uint128{0};
  if (s.exponent < 0)
    return s.exponent <= -kBits ? 0 : s.magnitude >> static_cast<unsigned>(-s.exponent);
  if (s.magnitude != 0 && bit_width(s.magnitude) + std::int64_t{s.exponent} > kBits)
    return ~Uint128{0};
  return s.magnitude == 0 ? 0 : s.magnitude << static_cast<unsigned>(s.exponent);
}

void store_integer(const Datatype& type, const Scalar& s, std::byte* bytes) {
  const unsigned precision = type.bits().precision;
  Uint128 value = whole_part(s);
  if (!type.is_signed()) {
    value = s.negative ? 0 : std::min(value, low_bits(precision));
  } else if (s.negative) {
    value = ~std::min(value, Uint128{1} << (precision - 1)) + 1;
  } else {
    value = std::min(value, low_bits(precision - 1));
  }
  std::memset(bytes, 0, type.size());
  put_bits(bytes, type.size(), type.byte_order(), type.bits().offset, precision, value);
}

}  // namespace

bool is_scalar(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::integer:
    case TypeClass::bitfield:
      return type.bits().precision <= kBits;
    case TypeClass::floating: {
      const FloatLayout f = type.float_layout();
      const std::size_t bits = 8 * type.size();
      return f.mantissa_size >= 1 && f.mantissa_size <= 112 && f.exponent_size >= 1 &&
             f.exponent_size <= 24 && f.sign_location < bits &&
             std::size_t{f.exponent_location} + f.exponent_size <= bits &&
             std::size_t{f.mantissa_location} + f.mantissa_size <= bits &&
             (type.byte_order() != ByteOrder::vax || type.size() % 2 == 0);
    }
    default:
      return false;
  }
}

Scalar load_scalar(const Datatype& type, const std::byte* bytes) {
  return type.type_class() == TypeClass::floating ? load_float(type, bytes)
                                                  : load_integer(type, bytes);
}

void store_scalar(const Datatype& type, const Scalar& value, std::byte* bytes) {
  if (type.type_class() == TypeClass::floating)
    store_float(type, value, bytes);
  else
    store_integer(type, value, bytes);
}

}  // namespace onecast::types
