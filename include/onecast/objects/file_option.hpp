#pragma once

#include <cstdint>
#include <string_view>

#include "onecast/objects/file_options.hpp"

namespace onecast {

/// The allowed numbers of an option.
struct OptionRange {
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
  bool is_power_of_two = false;
  bool takes_zero = true;  ///< 0 is allowed even if it is below `least`
};

/// The description of a field of FileOptions. kFileOptions (file_option_table.hpp) lists all of
/// them.
template <class T>
struct FileOption {
  std::string_view name;
  T FileOptions::* field;
  std::string_view expected;  ///< the allowed values, in words
  bool is_same = true;        ///< must be equal on all ranks
  bool is_lasting = true;     ///< must be equal in every opening of one file
  OptionRange range = {};     ///< for numbers
};

}  // namespace onecast
