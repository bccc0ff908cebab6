#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/namespaces.hpp"

namespace onecast::transport {

/// Systems and MPI take less than 2 GiB in one call.
constexpr std::size_t kLargestCall = std::size_t{1} << 30U;
/// Offsets in files are signed 64-bit integers.
constexpr std::uint64_t kLargestOffset = std::numeric_limits<std::int64_t>::max();

}  // namespace onecast::transport
