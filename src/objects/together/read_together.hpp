#pragma once

#include <exception>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/tree/node.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/multi.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::together {

/// What one rank reads of one dataset. All that is referred to is kept by the caller.
struct Read {
  Node* dataset;
  std::span<std::byte> out;
  const MemoryLayout* memory;  ///< null: one element after the other
  const Selection* part;
  std::optional<Datatype> memory_type;
};

/// All ranks read, each its parts of the same datasets in the same order, or of its own: one
/// agreement, and one transfer of all that lies in the file as it is in memory. `failure`: this
/// rank has no room, and all shall hear why (with Sharing::trust it alone throws). `kind`: of the
/// call. @collective
void read_together(FileState& file, CallKind kind, std::span<const Read> reads, Sharing sharing,
                   const std::exception_ptr& failure = {}, Datasets named = Datasets::same);

}  // namespace onecast::together
