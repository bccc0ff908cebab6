#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::values {

/// Puts the independent writes of all ranks, in the order of the ranks, into the heap and into the
/// datasets. @collective
void settle_waiting_writes(FileState& file);

}  // namespace onecast::values
