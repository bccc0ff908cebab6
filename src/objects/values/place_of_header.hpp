#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::values {

/// Returns the address of the object's header; a new object gets its place now, with some room to
/// grow. All ranks call it alike; it is logged if the object is new.
Address place_of_header(Node& node);

}  // namespace onecast::values
