#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace onecast {

/// Bob Jenkins' lookup3 ("hashlittle"), the checksum of all HDF5 metadata; initial value 0 there.
std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial = 0);

}  // namespace onecast
