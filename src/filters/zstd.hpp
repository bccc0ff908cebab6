#pragma once

#include "base/namespaces.hpp"
#include "filters/filter.hpp"

namespace onecast::filters {

/// Decompresses Zstandard frames into `out`. Returns their size; fails if it is larger than `out`.
std::size_t decompress_zstd(const FilterJob& job, ByteView in, std::span<std::byte> out);

/// The room that compressed data of this size may need.
std::size_t zstd_bound(std::size_t size);

/// Compresses into one frame in `out`, which must have room for it. Returns the compressed size.
/// Levels beyond those of Zstandard become the nearest valid ones.
std::size_t compress_zstd(const FilterJob& job, int level, ByteView in, std::span<std::byte> out);

}  // namespace onecast::filters
