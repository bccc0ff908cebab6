#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/rooms_above.hpp"

namespace onecast::flush {

/// What the rooms between the tree and this one do for every open file.
const RoomsAbove& engine();

}  // namespace onecast::flush
