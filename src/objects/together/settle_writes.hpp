#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "objects/memory/unsettled_writes.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::together {

/// What this rank wrote to a dataset, or to any (null), and the others do not know of yet.
[[nodiscard]] UnsettledWrites unsettled_writes(const FileState& file, const Node* only = nullptr);

/// Makes what any rank wrote for itself known to all; `kinds`: what some rank has. Returns an Error
/// where two ranks wrote one filtered chunk. @collective
std::exception_ptr settle_writes(FileState& file, UnsettledWrites kinds);

}  // namespace onecast::together
