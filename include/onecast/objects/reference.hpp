#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// What a reference leads to. Group opens it, VariableValues finds it in an element and tells the
/// selection of a region.
struct Reference {
  ReferenceKind kind = ReferenceKind::object;
  /// The object's place in the file, which identifies it. Absent: the reference was never set.
  std::optional<std::uint64_t> address{};
  std::string file{};               ///< another file that it lies in; empty: the same
  std::string attribute{};          ///< of revised_attribute
  std::vector<std::byte> region{};  ///< a selection, as it is stored

  friend bool operator==(const Reference&, const Reference&) = default;
};

}  // namespace onecast
