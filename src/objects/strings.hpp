#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.hpp"
#include "onecast/base/character_set.hpp"
#include "onecast/objects/datatype.hpp"

namespace onecast {

class FileState;

/// Elements of fixed or variable length as strings. Throws Error, after `where`: invalid_argument
/// if the type is no string; unsupported if they share objects of the heap and are far longer,
/// together, than the file.
std::vector<std::string> decode_strings(FileState& file, const Datatype& type, ByteView values,
                                        const std::string& where);

/// How a name must be stored: UTF-8 only if it has to be.
inline CharacterSet character_set_of(std::string_view name) {
  const bool ascii = std::all_of(name.begin(), name.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii ? CharacterSet::ascii : CharacterSet::utf8;
}

}  // namespace onecast
