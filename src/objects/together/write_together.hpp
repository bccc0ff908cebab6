#pragma once

#include <exception>
#include <optional>
#include <span>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/objects/multi.hpp"
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
};

/// Writes on all ranks: each writes its parts of the same datasets in the same order, or of its own
/// datasets, with one agreement and one transfer of all data that has its place in the file. Other
/// data follows, dataset by dataset. `failure` says why this rank has nothing to write; all ranks
/// throw it. `kind` is the kind of the call. @collective
void write_together(FileState& file, CallKind kind, std::span<const Write> writes,
                    const std::exception_ptr& failure = {}, Datasets named = Datasets::same);

}  // namespace onecast::together
