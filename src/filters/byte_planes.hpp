#pragma once

#include <cstddef>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Undoes a shuffle: byte b of element i lies at b * count + i in `in` and goes to i * width + b in
/// `out`. The buffers must not overlap.
void join_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width);

/// A shuffle, the reverse of join_byte_planes.
void split_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width);

}  // namespace onecast::filters
