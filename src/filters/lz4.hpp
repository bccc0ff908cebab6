#pragma once

#include "base/namespaces.hpp"
#include "filters/filter.hpp"

namespace onecast::filters {

/// Decompresses one block of LZ4, which must have exactly the size of `out`.
void decompress_lz4(const FilterJob& job, ByteView block, std::span<std::byte> out);

/// The room that one compressed block may need; fails if the block is too large for LZ4.
std::size_t lz4_bound(const FilterJob& job, std::size_t size);

/// Compresses one block into `out`, which must have room for it. Returns the compressed size.
std::size_t compress_lz4(const FilterJob& job, ByteView block, std::span<std::byte> out);

}  // namespace onecast::filters
