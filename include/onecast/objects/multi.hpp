#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "onecast/objects/dataset.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/space/selection.hpp"

namespace onecast {

/// What one rank writes to one dataset, in File::write_multi; see Dataset::write_all.
struct WriteRequest {
  Dataset dataset;
  std::span<const std::byte> bytes;  ///< exactly of the size of the part, or of `layout`
  Selection part = {};               ///< of the dataset; Selection::none(): nothing
  std::optional<MemoryLayout> layout = {};
  std::optional<Datatype> memory_type = {};  ///< absent: the stored type
  /// What made `bytes`, of elements of variable length, which have no memory type; else null.
  const NewValues* values = nullptr;
};

/// What one rank reads of one dataset, in File::read_multi; see Dataset::read_all.
struct ReadRequest {
  Dataset dataset;
  std::span<std::byte> out;
  Selection part = {};
  std::optional<MemoryLayout> layout = {};
  std::optional<Datatype> memory_type = {};
};

}  // namespace onecast
