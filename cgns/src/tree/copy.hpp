#pragma once

#include "tree/tree.hpp"

/// Copies of nodes between open files. All functions throw Failure. @replicated
namespace onecast::cgns {

/// The treatment of links to other files: they stay links, or copies of their targets replace them.
enum class Links : std::uint8_t { kept, expanded };

/// Gives a node the label, the type and the value of another node. Values are copied as they are
/// stored; small values are stored in the header.
void copy_node(Node& from, Node& to);
/// Copies all nodes below `from` to `to`, which has no nodes of these names. Links within the file
/// stay links.
void copy_children(Node& from, Node& to, Links links);

}  // namespace onecast::cgns
