#pragma once

#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/files/file_state.hpp"
#include "objects/together/requests.hpp"
#include "onecast/objects/multi.hpp"

namespace onecast::together {

/// Writes on all ranks: each writes its parts of the same datasets in the same order, or of its own
/// datasets, with one agreement and one transfer of all data that has its place in the file. Other
/// data follows, dataset by dataset. `failure` says why this rank has nothing to write; all ranks
/// throw it. `kind` is the kind of the call. @collective
void write_together(FileState& file, CallKind kind, std::span<const Write> writes,
                    const std::exception_ptr& failure = {}, Datasets named = Datasets::same);

}  // namespace onecast::together
