#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

/// Where links and paths lead to. Both throw Error (not_found) where links lead to links without an
/// end: a circle of them, for example.
namespace onecast::tree {

/// What a link leads to, perhaps in another file; null if it dangles. Soft links start at `group`.
Node* follow_link(Node& group, LinkEntry& entry);
/// What `path`, from `start`, leads to; null if nothing is there.
Node* find_object(Node& start, std::string_view path);

}  // namespace onecast::tree
