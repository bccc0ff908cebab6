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

/// The numbers at which links or attributes change between compact storage, in the object header,
/// and dense storage, in a heap with an index. The file stores them for all libraries.
struct DenseLimits {
  unsigned max_compact = 8;  ///< more become dense; 0: dense at once. At most 65,535.
  unsigned min_dense = 6;    ///< fewer become compact again. At most `max_compact`.

  friend bool operator==(const DenseLimits&, const DenseLimits&) = default;
};

/// The options for creating a group.
struct GroupOptions {
  bool link_order = true;        ///< true: it tracks the order in which links are created
  bool attribute_order = false;  ///< true: it tracks the order in which attributes are created
  bool times = false;            ///< true: it has times, see Object::times
  /// Far more links are compact than in groups of the HDF5 library: pages bring all headers anyway,
  /// and dense storage takes at least 2 KiB.
  DenseLimits dense_links = {64, 48};
  DenseLimits dense_attributes = {};

  friend bool operator==(const GroupOptions&, const GroupOptions&) = default;
};

}  // namespace onecast
