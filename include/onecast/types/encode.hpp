#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// Converts a type to the Datatype message of the HDF5 specification, as a file stores it, for
/// programs that store types or send them. @independent
std::vector<std::byte> encode(const Datatype& type);

/// Converts a Datatype message of any version to a type. The bytes need not be trusted. Throws
/// Error: format (not a Datatype message, or truncated), unsupported (an unknown class).
/// @independent
Datatype decode_datatype(std::span<const std::byte> message);

}  // namespace onecast
