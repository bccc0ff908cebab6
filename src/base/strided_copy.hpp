#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace onecast {

/// Copies `count` pieces of `size` bytes with the given strides.
inline void copy_strided(const std::byte* in, std::size_t in_stride, std::byte* out,
                         std::size_t out_stride, std::size_t size, std::size_t count) {
  const auto copy = [&](auto piece_size) {
    for (; count != 0; --count, in += in_stride, out += out_stride)
      std::memcpy(out, in, piece_size);
  };
  // A copy is one instruction if the compiler knows the size.
  switch (size) {
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    case 16:
      return copy(std::integral_constant<std::size_t, 16>());
    default:
      return copy(size);
  }
}

}  // namespace onecast
