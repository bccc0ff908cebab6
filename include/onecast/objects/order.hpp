#pragma once

#include <cstdint>

namespace onecast {

/// In which order links and attributes are listed. Names are compared byte by byte. The order of
/// creation is an Error (invalid_argument) where the object does not track it.
enum class Order : std::uint8_t {
  stored,  ///< creation where it is tracked, else name
  name,
  name_descending,
  creation,
  creation_descending,
};

}  // namespace onecast
