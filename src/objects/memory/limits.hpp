#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// The largest size that a header message can surely have ("Size of Header Message Data" has 16
/// bits).
inline constexpr std::size_t kMaxMessageSize = 64000;
inline constexpr std::size_t kMaxNameLength = 32000;

/// The approximate memory of one object before and during a flush: node, link, header, its image.
/// It is more than an object takes by now, and must not change: it says when a flush comes by
/// itself, and so which bytes a file gets. The same holds for the next two.
inline constexpr std::uint64_t kMemoryOfNewObject = 1536;
inline constexpr std::uint64_t kMemoryOfNewAttribute = 512;
/// The memory of a chunk index: a node of a version 1 B-tree, in memory and as an image.
inline constexpr std::uint64_t kMemoryOfNewIndex = 6144;

inline constexpr std::uint64_t kMaxDatasetSize = std::uint64_t{1} << 60U;

}  // namespace onecast::memory
