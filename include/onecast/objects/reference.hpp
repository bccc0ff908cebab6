#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// A decoded reference. Object and Dataset make one, NewValues writes it to an element of any kind
/// that can hold it, VariableValues reads it from an element and decodes the selection of a region,
/// and Group opens the object.
struct Reference {
  ReferenceKind kind = ReferenceKind::object;
  /// The address of the object's header, which identifies the object; absent if the reference was
  /// never set.
  std::optional<std::uint64_t> address{};
  /// The name of the file that holds the object, which is looked up like the file of an external
  /// link; empty: this file. Only revised references have a name.
  std::string file{};
  std::string attribute{};          ///< the attribute's name, for revised_attribute
  std::vector<std::byte> region{};  ///< a selection in its stored form
  /// The number of dimensions of the region's dataset; 0 if it is not known.
  std::size_t rank = 0;

  /// True if both lead to one object, attribute or region.
  friend bool operator==(const Reference& a, const Reference& b) {
    return a.address == b.address && a.file == b.file && a.attribute == b.attribute &&
           a.region == b.region;
  }
};

}  // namespace onecast
