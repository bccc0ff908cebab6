#pragma once

#include <cstdint>
#include <string>

namespace onecast {

/// The properties of a file that every decoder needs: the widths of addresses and lengths, and its
/// name, for errors.
struct FileContext {
  std::string name;
  std::uint8_t size_of_offsets = 8;
  std::uint8_t size_of_lengths = 8;
};

}  // namespace onecast
