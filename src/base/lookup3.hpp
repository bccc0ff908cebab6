#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace onecast {

/// Bob Jenkins' lookup3 ("hashlittle"), the checksum of all HDF5 metadata, with initial value 0.
std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial = 0);

/// The size of the field "Checksum" after a piece of metadata.
constexpr std::size_t kChecksumSize = 4;

/// True if `stored` is the checksum of these bytes. In builds for fuzzers it is always true, since
/// they would never find a valid one.
inline bool checksum_matches(std::span<const std::byte> bytes, std::uint64_t stored) {
#ifdef ONECAST_IGNORE_CHECKSUMS
  return static_cast<void>(bytes), static_cast<void>(stored), true;
#else
  return lookup3(bytes) == stored;
#endif
}

}  // namespace onecast
