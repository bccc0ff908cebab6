#pragma once

#include <cstddef>
#include <span>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// Converts elements from one type to another, as Dataset::read does: out.size() / to.size() of
/// them. Throws Error (invalid_argument) if there is no such conversion, or `in` has fewer.
/// @independent
void convert(const Datatype& from, std::span<const std::byte> in, const Datatype& to,
             std::span<std::byte> out);

}  // namespace onecast
