#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

namespace onecast::tree {

/// How many hard links lead to the object ("IV.A.2.w. The Object Reference Count Message"): a
/// library that removes the last that is counted destroys it. @independent
std::uint32_t reference_count(const Node& node);

/// Edits the object.
void set_reference_count(Node& node, std::uint32_t count);
/// Of an object that is edited.
void keep_reference_count(Node& node, std::uint32_t count);

}  // namespace onecast::tree
