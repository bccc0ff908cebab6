#pragma once

#include "filters/filter.hpp"

namespace onecast {

/// Decompresses one block of LZ4, which must have exactly the size of `out`.
void decompress_lz4(const FilterJob& job, ByteView block, std::span<std::byte> out);

}  // namespace onecast
