#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

/// The numbers at which the links and attributes of an object change between compact and dense
/// storage.
namespace onecast::nodes {

/// Returns the limits that the header of a group that can be changed has.
DenseLimits limits_of_links(Node& group);
inline DenseLimits limits_of_attributes(const Node& node) {
  return {node.header.prefix.max_compact_attributes, node.header.prefix.min_dense_attributes};
}

/// Returns true if `count` links or attributes are to be dense.
inline bool are_many(std::size_t count, const DenseLimits& limits, bool are_dense) {
  return count > limits.max_compact || (are_dense && count != 0 && count >= limits.min_dense);
}

/// Throws Error (invalid_argument) unless a file can store the limits.
void require_sound(const GroupOptions& options, const std::function<std::string()>& where);

}  // namespace onecast::nodes
