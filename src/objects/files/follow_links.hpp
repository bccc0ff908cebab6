#pragma once

#include <atomic>
#include <string_view>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

/// Resolves links and paths. All functions throw Error (not_found) if links lead to links without
/// an end, in a circle for example.
namespace onecast::files {

/// Returns the target of a link, perhaps in another file; null if it dangles. Soft links start at
/// `group`.
Node* follow_new_link(Node& group, LinkEntry& entry);
/// Does the same for a link that may have been followed before.
inline Node* follow_link(Node& group, LinkEntry& entry) {
  Node* known = std::atomic_ref(entry.node).load(std::memory_order_acquire);
  return known != nullptr ? known : follow_new_link(group, entry);
}
/// Returns the object at `path`, from `start`; null if there is none.
Node* find_object(Node& start, std::string_view path);

}  // namespace onecast::files
