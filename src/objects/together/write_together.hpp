#pragma once

#include <exception>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/tree/node.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/objects/new_values.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::together {

/// What one rank writes to one dataset. All that is referred to is kept by the caller.
struct Write {
  Node* dataset;
  std::span<const std::byte> bytes;
  const MemoryLayout* memory;  ///< null: one element after the other
  const Selection* part;
  std::optional<Datatype> memory_type;
  const NewValues* values;  ///< null: the elements are already as they are stored
};

/// All ranks write, each its parts of the same datasets in the same order, or of its own: one
/// agreement, and one transfer of all that has its place in the file; what has not follows, dataset
/// by dataset. `failure`: this rank has nothing to write, and all shall hear why. `kind`: of the
/// call. @collective
void write_together(FileState& file, CallKind kind, std::span<const Write> writes,
                    const std::exception_ptr& failure = {}, Datasets named = Datasets::same);

}  // namespace onecast::together
