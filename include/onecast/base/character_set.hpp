#pragma once

#include <cstdint>

#include "onecast/base/language.hpp"

namespace onecast {

/// The encoding of a name or a string. The values are those of the specification.
enum class CharacterSet : std::uint8_t { ascii = 0, utf8 = 1 };

}  // namespace onecast
