#pragma once

#include <algorithm>
#include <string_view>

#include "base/namespaces.hpp"
#include "onecast/base/character_set.hpp"

namespace onecast::codec {

/// Returns the character set of a name: UTF-8 only if it is not ASCII.
inline CharacterSet character_set_of(std::string_view name) {
  const bool ascii = std::all_of(name.begin(), name.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? CharacterSet::ascii : CharacterSet::utf8;
}

}  // namespace onecast::codec
