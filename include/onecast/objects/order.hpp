#pragma once

#include <cstdint>

namespace onecast {

/// The order in which links and attributes are listed. Names are compared byte by byte. A call that
/// asks for an order of creation throws Error (invalid_argument) if the object does not track it.
/// Exception, as in the HDF5 library: attributes that are not dense are listed as they are stored
/// in the object header, also without tracking.
enum class Order : std::uint8_t {
  stored,  ///< by creation if the object tracks it, else by name
  name,
  name_descending,
  creation,
  creation_descending,
};

/// The orders of creation and the times that a new object tracks.
struct Tracked {
  bool links = true;        ///< the order in which links of a group are created
  bool attributes = false;  ///< the order in which attributes are created
  bool times = false;       ///< see Object::times

  friend bool operator==(const Tracked&, const Tracked&) = default;
};

}  // namespace onecast
