#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"
#include "objects/memory/unsettled_writes.hpp"

namespace onecast::together {

/// Returns the kinds of this rank's writes to a dataset, or to any (null), that the others do not
/// know yet.
[[nodiscard]] UnsettledWrites unsettled_writes(const FileState& file, const Node* only = nullptr);

/// Makes the independent writes of all ranks known to all. `kinds` says what any rank has. Returns
/// an Error if two ranks wrote to one filtered chunk. @collective
std::exception_ptr settle_writes(FileState& file, UnsettledWrites kinds);

}  // namespace onecast::together
