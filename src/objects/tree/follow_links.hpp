#pragma once

#include <string_view>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"

/// Resolves links and paths. Both functions throw Error (not_found) if links lead to links without
/// an end, in a circle for example.
namespace onecast::tree {

/// Returns the target of a link, perhaps in another file; null if it dangles. Soft links start at
/// `group`.
Node* follow_link(Node& group, LinkEntry& entry);
/// Returns the object at `path`, from `start`; null if there is none.
Node* find_object(Node& start, std::string_view path);

}  // namespace onecast::tree
