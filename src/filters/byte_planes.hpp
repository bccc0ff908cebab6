#pragma once

#include <cstddef>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Undoes a shuffle: byte b of element i lies at b * count + i of `in` and goes to i * width + b of
/// `out`. They do not overlap.
void join_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width);

/// A shuffle: the other way round.
void split_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width);

}  // namespace onecast::filters
