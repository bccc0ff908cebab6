#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// More links than these go to dense storage. Far above the library's default of 8: pages bring all
/// headers anyway, and dense storage takes at least 2 KiB.
inline constexpr std::size_t kMaxCompactLinks = 64;
inline constexpr std::size_t kMinDenseLinks = 48;
/// The default of every stock library; the object header then does not store it.
inline constexpr std::size_t kMaxCompactAttributes = 8;
/// The largest header message that is certain to fit ("Size of Header Message Data" has 16 bits).
inline constexpr std::size_t kMaxMessageSize = 64000;
inline constexpr std::size_t kMaxNameLength = 32000;

/// About what one takes in memory before and in a flush: node, link, header, its image.
inline constexpr std::uint64_t kMemoryOfNewObject = 1536;
inline constexpr std::uint64_t kMemoryOfNewAttribute = 512;
/// Of chunks: a node of a version 1 B-tree, made and as it will be in the file.
inline constexpr std::uint64_t kMemoryOfNewIndex = 6144;

inline constexpr std::uint64_t kMaxDatasetSize = std::uint64_t{1} << 60U;

}  // namespace onecast::memory
