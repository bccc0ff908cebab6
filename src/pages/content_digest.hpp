#pragma once

#include <cstdint>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::pages {

/// A fast 64-bit digest (XXH3) that tells data apart. For comparisons, never stored.
std::uint64_t content_digest(ByteView bytes);

}  // namespace onecast::pages
