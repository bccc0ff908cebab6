#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::values {

/// Where the object's header is, or will be: a new object gets the place for it now, with some room
/// to grow. On all ranks alike; logged if it is new.
Address place_of_header(Node& node);

}  // namespace onecast::values
