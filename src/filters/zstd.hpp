#pragma once

#include "filters/filter.hpp"

namespace onecast {

/// Decompresses frames of Zstandard into `out`; returns how many bytes they had, fails if more.
std::size_t decompress_zstd(const FilterJob& job, ByteView in, std::span<std::byte> out);

}  // namespace onecast
