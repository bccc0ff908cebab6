#include "types/number_kernels.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace onecast::types {
namespace {

// --- bytes ---------------------------------------------------------------------------------------

std::uint8_t reversed(std::uint8_t v) { return v; }
std::uint16_t reversed(std::uint16_t v) { return __builtin_bswap16(v); }
std::uint32_t reversed(std::uint32_t v) { return __builtin_bswap32(v); }
std::uint64_t reversed(std::uint64_t v) { return __builtin_bswap64(v); }

template <class U>
void swap_adjacent(const std::byte* in, std::byte* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    U value;
    std::memcpy(&value, in + i * sizeof(U), sizeof(U));
    value = reversed(value);
    std::memcpy(out + i * sizeof(U), &value, sizeof(U));
  }
}

template <class U, bool kSwap>
void copy_strided(const std::byte* in, std::size_t in_stride, std::byte* out,
                  std::size_t out_stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    U value;
    std::memcpy(&value, in + i * in_stride, sizeof(U));
    if constexpr (kSwap) value = reversed(value);
    std::memcpy(out + i * out_stride, &value, sizeof(U));
  }
}

template <class U>
void copy_as(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
             std::size_t count, bool swap) {
  if (!swap) return copy_strided<U, false>(in, in_stride, out, out_stride, count);
  if (in_stride == sizeof(U) && out_stride == sizeof(U)) return swap_adjacent<U>(in, out, count);
  copy_strided<U, true>(in, in_stride, out, out_stride, count);
}

void copy_any(const std::byte* in, std::size_t in_stride, std::byte* out, std::size_t out_stride,
              std::size_t size, std::size_t count, bool swap) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* from = in + i * in_stride;
    std::byte* to = out + i * out_stride;
    if (!swap) {
      std::memmove(to, from, size);
      continue;
    }
    // Goes from both ends to the middle, so that `in` may be `out`.
    for (std::size_t k = 0; k < (size + 1) / 2; ++k) {
      const std::byte low = from[k];
      to[k] = from[size - 1 - k];
      to[size - 1 - k] = low;
    }
  }
}

// --- numbers -------------------------------------------------------------------------------------

template <class D, class S>
D convert_one(S value) {
  using Limits = std::numeric_limits<D>;
  if constexpr (std::is_floating_point_v<D>) {
    return static_cast<D>(value);
  } else if constexpr (std::is_floating_point_v<S>) {
    // Both bounds are powers of two, hence exact.
    constexpr S kLow = static_cast<S>(Limits::min());
    const S high = std::ldexp(S{1}, Limits::digits);
    if (!(value >= kLow)) return value < kLow ? Limits::min() : D{0};  // else NaN
    return value < high ? static_cast<D>(value) : Limits::max();
  } else {
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    if (std::cmp_greater(value, Limits::max())) return Limits::max();
    return static_cast<D>(value);
  }
}

template <class S, class D>
void convert(const std::byte* in, std::byte* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    S value;
    std::memcpy(&value, in + i * sizeof(S), sizeof(S));
    const D result = convert_one<D>(value);
    std::memcpy(out + i * sizeof(D), &result, sizeof(D));
  }
}

struct Half {
  std::uint16_t bits;
  explicit operator float() const {
    // Read as a float, the exponent is 112 too small; the product corrects that, also for
    // subnormals.
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t rest = static_cast<std::uint32_t>(bits & 0x7fffU) << 13U;
    const float scaled = std::bit_cast<float>(rest) * 0x1p112F;
    const std::uint32_t magnitude =
        rest >= 0x0f800000U ? rest | 0x7f800000U : std::bit_cast<std::uint32_t>(scaled);
    return std::bit_cast<float>(sign | magnitude);
  }
};

struct Brain {
  std::uint16_t bits;
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
  }
};

template <class S, class D>
void convert_short(const std::byte* in, std::byte* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    S value;
    std::memcpy(&value, in + i * sizeof(S), sizeof(S));
    const D result = convert_one<D>(static_cast<float>(value));
    std::memcpy(out + i * sizeof(D), &result, sizeof(D));
  }
}

template <class D>
NumberKernel kernel_to(NativeKind from) {
  constexpr std::array<NumberKernel, 13> kKernels{
      convert<std::int8_t, D>,   convert<std::uint8_t, D>,  convert<std::int16_t, D>,
      convert<std::uint16_t, D>, convert<std::int32_t, D>,  convert<std::uint32_t, D>,
      convert<std::int64_t, D>,  convert<std::uint64_t, D>, convert<float, D>,
      convert<double, D>,        convert<long double, D>,   convert_short<Half, D>,
      convert_short<Brain, D>};
  return kKernels[static_cast<std::size_t>(from)];
}

std::optional<NativeKind> kind_of(const Datatype& type) {
  const std::size_t size = type.size();
  const bool whole = type.bits().offset == 0 && type.bits().precision == 8 * size;
  if (type.type_class() == TypeClass::integer || type.type_class() == TypeClass::bitfield) {
    if (!whole || size > 8 || !std::has_single_bit(size)) return std::nullopt;
    return static_cast<NativeKind>(2 * std::countr_zero(size) + (type.is_signed() ? 0 : 1));
  }
  if (type.type_class() != TypeClass::floating) return std::nullopt;
  const FloatLayout layout = type.float_layout();
  const auto is = [&](const Datatype& known) {
    return size == known.size() && type.bits() == known.bits() && layout == known.float_layout();
  };
  if (is(Datatype::of<float>())) return NativeKind::f32;
  if (is(Datatype::of<double>())) return NativeKind::f64;
  if (is(Datatype::floating(2))) return NativeKind::f16;
  if (is(Datatype::bfloat16())) return NativeKind::bfloat16;
  if (is(Datatype::of<long double>())) return NativeKind::long_double;
  return std::nullopt;
}

}  // namespace

std::optional<NativeNumber> native_number(const Datatype& type) {
  const auto kind = kind_of(type);
  if (!kind || type.byte_order() == ByteOrder::vax) return std::nullopt;
  constexpr bool kBigMachine = std::endian::native == std::endian::big;
  return NativeNumber{*kind, (type.byte_order() == ByteOrder::big) != kBigMachine};
}

void copy_elements(const std::byte* in, std::size_t in_stride, std::byte* out,
                   std::size_t out_stride, std::size_t size, std::size_t count, bool swap) {
  if ((!swap || size == 1) && in_stride == size && out_stride == size) {
    if (in != out && count != 0) std::memmove(out, in, size * count);
    return;
  }
  switch (size) {
    case 1:
      return copy_as<std::uint8_t>(in, in_stride, out, out_stride, count, swap);
    case 2:
      return copy_as<std::uint16_t>(in, in_stride, out, out_stride, count, swap);
    case 4:
      return copy_as<std::uint32_t>(in, in_stride, out, out_stride, count, swap);
    case 8:
      return copy_as<std::uint64_t>(in, in_stride, out, out_stride, count, swap);
    default:
      return copy_any(in, in_stride, out, out_stride, size, count, swap);
  }
}

NumberKernel number_kernel(NativeKind from, NativeKind to) {
  constexpr std::array kKernelsTo{
      kernel_to<std::int8_t>,   kernel_to<std::uint8_t>,  kernel_to<std::int16_t>,
      kernel_to<std::uint16_t>, kernel_to<std::int32_t>,  kernel_to<std::uint32_t>,
      kernel_to<std::int64_t>,  kernel_to<std::uint64_t>, kernel_to<float>,
      kernel_to<double>,        kernel_to<long double>};
  const auto wanted = static_cast<std::size_t>(to);
  return wanted < kKernelsTo.size() ? kKernelsTo[wanted](from) : nullptr;
}

}  // namespace onecast::types
