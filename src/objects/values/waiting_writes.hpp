#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::values {

/// The dataset changes its shape: what this rank wrote to it, and waits for the flush, stays what
/// it was where that still is, and goes where it is not.
void resize_waiting_writes(Node& dataset, const Shape& before, const Shape& next);

}  // namespace onecast::values
