#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/rooms_above.hpp"

namespace onecast::flush {

/// Returns the implementation of RoomsAbove for every open file.
const RoomsAbove& engine();

}  // namespace onecast::flush
