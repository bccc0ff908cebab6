#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::tree {

/// A handle's way to a node, which is not forgotten altogether as long as there is one.
std::shared_ptr<Node> held(std::shared_ptr<const void> keeps, Node& node);

}  // namespace onecast::tree
