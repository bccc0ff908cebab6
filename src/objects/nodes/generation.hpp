#pragma once

#include <cstdint>
#include <memory>

#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "objects/nodes/node_table.hpp"

namespace onecast::nodes {

/// Objects of a file that is read, looked up one after the other, with the memory for what is
/// decoded of them. They are freed together, when the file looks up further objects in a new
/// generation and no handle leads to any of these: see KnownNodes.
struct Generation : std::enable_shared_from_this<Generation> {
  Arena arena;
  NodeTable nodes;

  [[nodiscard]] std::uint64_t bytes() const { return arena.used() + nodes.bytes(); }
};

}  // namespace onecast::nodes
