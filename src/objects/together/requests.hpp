#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::together {

/// One rank's write to one dataset. The caller keeps everything that it refers to.
struct Write {
  Node* dataset;
  std::span<const std::byte> bytes;
  const MemoryLayout* memory;  ///< null: one element after the other
  const Selection* part;
  std::optional<Datatype> memory_type;
  const NewValues* values;  ///< null: the elements are in stored form already
  std::optional<std::uintptr_t> stream = {};
};

/// One rank's read of one dataset. The caller keeps everything that it refers to.
struct Read {
  Node* dataset;
  std::span<std::byte> out;
  const MemoryLayout* memory;  ///< null: one element after the other
  const Selection* part;
  std::optional<Datatype> memory_type;
  std::optional<std::uintptr_t> stream = {};
};

}  // namespace onecast::together
