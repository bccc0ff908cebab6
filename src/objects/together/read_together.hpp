#pragma once

#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "comm/call_header.hpp"
#include "objects/files/file_state.hpp"
#include "objects/together/requests.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/multi.hpp"

namespace onecast::together {

/// Reads on all ranks: each reads its parts of the same datasets in the same order, or of its own
/// datasets, with one agreement and one transfer of all directly stored data. `failure` says why
/// this rank has no memory for its part; all ranks throw it (with Sharing::trust only this one).
/// `kind` is the kind of the call. @collective
void read_together(FileState& file, CallKind kind, std::span<const Read> reads, Sharing sharing,
                   const std::exception_ptr& failure = {}, Datasets named = Datasets::same);

}  // namespace onecast::together
