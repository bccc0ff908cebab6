#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace onecast {

/// Bob Jenkins' lookup3 ("hashlittle"), the checksum of all HDF5 metadata; initial value 0 there.
std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial = 0);

/// Of the field "Checksum" behind a piece of metadata.
constexpr std::size_t kChecksumSize = 4;

/// Is `stored` the checksum of these bytes? Fuzzers would never get past it: their build takes any.
inline bool checksum_matches(std::span<const std::byte> bytes, std::uint64_t stored) {
#ifdef ONECAST_IGNORE_CHECKSUMS
  return static_cast<void>(bytes), static_cast<void>(stored), true;
#else
  return lookup3(bytes) == stored;
#endif
}

}  // namespace onecast
