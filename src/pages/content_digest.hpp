#pragma once

#include <cstdint>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::pages {

/// Tells much data apart as fast as it is read: XXH3, 64 bits. For comparing, never stored.
std::uint64_t content_digest(ByteView bytes);

}  // namespace onecast::pages
