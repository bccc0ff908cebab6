#pragma once

#include "tree/tree.hpp"

/// Copies between open files. @collective @same; they do not communicate. They throw Failure.
namespace onecast::cgns {

/// What becomes of links to other files: they stay links, or copies of what they lead to.
enum class Links : std::uint8_t { kept, expanded };

/// Gives a node the label, the type and the value of another one. Values are copied as they are
/// stored; those that are small come into the header.
void copy_node(Node& from, Node& to);
/// Copies all nodes below `from` into `to`, which has no nodes of these names. Links within the
/// file stay links.
void copy_children(Node& from, Node& to, Links links);

}  // namespace onecast::cgns
