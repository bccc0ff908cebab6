#pragma once

#include "base/namespaces.hpp"
#include "filters/filter.hpp"

namespace onecast::filters {

/// Decompresses frames of Zstandard into `out`; returns how many bytes they had, fails if more.
std::size_t decompress_zstd(const FilterJob& job, ByteView in, std::span<std::byte> out);

/// Room that so many bytes may need when compressed.
std::size_t zstd_bound(std::size_t size);

/// Compresses into one frame in `out`, which has the room for it; returns what it takes. Levels
/// that Zstandard does not have become the nearest that it has.
std::size_t compress_zstd(const FilterJob& job, int level, ByteView in, std::span<std::byte> out);

}  // namespace onecast::filters
