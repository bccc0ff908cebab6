#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast {

/// What a reference leads to. Object and Dataset make it, NewValues writes it as any kind that can
/// say it, VariableValues finds it in an element and tells the selection of a region, Group opens
/// it.
struct Reference {
  ReferenceKind kind = ReferenceKind::object;
  /// The object's place in the file, which identifies it. Absent: the reference was never set.
  std::optional<std::uint64_t> address{};
  /// Another file that it lies in, found as external links find theirs; empty: the same. Only
  /// revised references have one.
  std::string file{};
  std::string attribute{};          ///< of revised_attribute
  std::vector<std::byte> region{};  ///< a selection, as it is stored
  /// Dimensions of the region's dataset; 0: not told.
  std::size_t rank = 0;

  /// Do they lead to the same?
  friend bool operator==(const Reference& a, const Reference& b) {
    return a.address == b.address && a.file == b.file && a.attribute == b.attribute &&
           a.region == b.region;
  }
};

}  // namespace onecast
