#pragma once

#include <cstdint>

#include "onecast/base/language.hpp"

namespace onecast {

/// How the characters of a name or a string are stored; the specification's numbers.
enum class CharacterSet : std::uint8_t { ascii = 0, utf8 = 1 };

}  // namespace onecast
