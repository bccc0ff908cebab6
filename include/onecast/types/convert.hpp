#pragma once

#include <cstddef>
#include <span>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// Converts out.size() / to.size() elements from one type to another, as Dataset::read does. Throws
/// Error (invalid_argument) if there is no such conversion, or if `in` has fewer elements.
/// @independent
void convert(const Datatype& from, std::span<const std::byte> in, const Datatype& to,
             std::span<std::byte> out);

}  // namespace onecast
