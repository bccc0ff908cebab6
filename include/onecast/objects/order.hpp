#pragma once

#include <cstdint>

namespace onecast {

/// The order in which links and attributes are listed. Names are compared byte by byte. An order of
/// creation throws Error (invalid_argument) if the object does not track it. Attributes that are
/// not dense are listed as they stand in the object header, also without tracking, as by the HDF5
/// library.
enum class Order : std::uint8_t {
  stored,  ///< by creation if that is tracked, else by name
  name,
  name_descending,
  creation,
  creation_descending,
};

/// What a new object tracks.
struct Tracked {
  bool links = true;  ///< the order in which links of a group are created, for Order::creation
  bool attributes = false;  ///< that of its attributes
  bool times = false;       ///< see Object::times

  friend bool operator==(const Tracked&, const Tracked&) = default;
};

}  // namespace onecast
