#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.hpp"
#include "filters/filter.hpp"

namespace onecast::filters {

/// The first value of scale-offset's client data.
enum class ScaleType : std::uint32_t { decimal = 0, exponent = 1, integer = 2 };

/// The parameters in scale-offset's client data.
struct ScaleOffset {
  bool is_float;
  std::int32_t scale;  ///< for floats the decimal scale factor, for integers the requested bits
  std::uint64_t count;
  std::size_t size;  ///< of an element
  bool big_endian;
  bool has_fill;
  std::uint64_t fill;  ///< the bits of the fill value

  /// Decodes the client data, and checks them.
  static ScaleOffset of(const FilterJob& job);

  /// True if as many bits are requested as the datatype has; writers then store chunks unchanged.
  [[nodiscard]] bool leaves_all() const {
    return !is_float && scale > 0 && static_cast<std::size_t>(scale) == 8 * size;
  }
};

/// The head before the packed values.
struct ScaleOffsetHead {
  static constexpr std::size_t kSize = 21;

  unsigned bits;          ///< in a packed value
  std::uint64_t minimum;  ///< the bits of the minimum
};

template <class T>
T swapped_if(bool swap, T value) {
  if (!swap) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
  return value;
}

/// The packed value for the fill value: all bits set. T has more than `bits` bits.
template <class T>
T packed_fill(unsigned bits) {
  return static_cast<T>((std::uint64_t{1} << bits) - 1);
}

std::optional<ByteView> encode_scaleoffset(const FilterJob& job, ByteView plain,
                                           Workspace& workspace);

}  // namespace onecast::filters
