#pragma once

#include <cstdint>
#include <string_view>

#include "onecast/objects/file_options.hpp"

namespace onecast {

/// Which numbers an option may be.
struct OptionRange {
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
  bool is_power_of_two = false;
  bool takes_zero = true;  ///< even where 0 is below `least`
};

/// What the library knows of a field of FileOptions. kFileOptions (file_option_table.hpp) has all.
template <class T>
struct FileOption {
  std::string_view name;
  T FileOptions::* field;
  std::string_view expected;  ///< the values it may have, in words
  bool is_same;               ///< on all ranks
  bool is_lasting;            ///< another opening of the open file must agree
  OptionRange range = {};     ///< of numbers
};

}  // namespace onecast
