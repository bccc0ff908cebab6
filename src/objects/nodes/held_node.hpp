#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::nodes {

/// Returns a handle's pointer to a node. While it exists, the node itself stays in memory.
std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node);

}  // namespace onecast::nodes
