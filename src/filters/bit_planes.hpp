#pragma once

#include <cstddef>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Undoes a bit shuffle: bit k of byte b of `count` elements, a multiple of 8, lies in the count /
/// 8 bytes from (8 * b + k) * count / 8 of `in`. All three buffers have count * width bytes.
void join_bit_planes(const std::byte* in, std::byte* out, std::byte* temporary, std::size_t count,
                     std::size_t width);

/// A bit shuffle, the reverse of join_bit_planes.
void split_bit_planes(const std::byte* in, std::byte* out, std::byte* temporary, std::size_t count,
                      std::size_t width);

}  // namespace onecast::filters
