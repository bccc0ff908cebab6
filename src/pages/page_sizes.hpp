#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::pages {

/// The start of page 0 that a new file keeps for the superblock and its extension.
inline constexpr std::uint64_t kBootSize = 512;
/// The default size of pages.
inline constexpr std::uint64_t kPageSize = 4096;

/// The alignment of metadata, and of raw data outside of pages.
inline constexpr std::uint64_t kAlignment = 8;

}  // namespace onecast::pages
