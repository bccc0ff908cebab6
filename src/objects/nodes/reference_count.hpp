#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::nodes {

/// Returns the number of hard links that lead to the object ("IV.A.2.w. The Object Reference Count
/// Message"): a library that removes the last one destroys the object. @independent
std::uint32_t reference_count(const Node& node);

/// Sets the count and edits the object.
void set_reference_count(Node& node, std::uint32_t count);
/// Sets the count of an object that is already edited.
void keep_reference_count(Node& node, std::uint32_t count);

}  // namespace onecast::nodes
