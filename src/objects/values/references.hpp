#pragma once

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::values {

/// Returns the object to which a reference leads, with a path to it if there is one. Throws Error:
/// not_found (a removed object), format (no object at that address).
Node& referenced_node(FileState& file, Address address);

}  // namespace onecast::values
