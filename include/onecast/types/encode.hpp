#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// The type as the specification's Datatype message, as a file stores it: for programs that keep
/// or send types. @independent
std::vector<std::byte> encode(const Datatype& type);

/// The type of such a message, whatever its version. The bytes need not be trusted. Throws Error:
/// format (no Datatype message, cut off), unsupported (a class that Onecast does not know).
/// @independent
Datatype decode_datatype(std::span<const std::byte> message);

}  // namespace onecast
