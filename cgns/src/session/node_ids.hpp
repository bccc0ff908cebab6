#pragma once

#include <cstdint>
#include <unordered_map>

#include "tree/node.hpp"

namespace onecast::cgns {

/// The numbers by which cgio and the cg_*_id functions name nodes. A number is never reused.
class NodeIds {
 public:
  /// Returns the node's number, which does not change.
  double id_of(Node& node) {
    if (node.tag == 0) {
      node.tag = ++last_;
      nodes_[node.tag] = &node;
    }
    return static_cast<double>(node.tag);
  }
  /// Returns the node with this number; null if there is none.
  [[nodiscard]] Node* find(double id) const {
    if (!(id >= 1 && id < 9e15)) return nullptr;
    const auto found = nodes_.find(static_cast<std::uint64_t>(id));
    return found == nodes_.end() ? nullptr : found->second;
  }
  void forget(Node& node) {
    if (node.tag != 0) nodes_.erase(node.tag);
    node.tag = 0;
  }
  void forget_all_of(const Tree& tree) {
    std::erase_if(nodes_, [&](const auto& entry) { return &entry.second->tree() == &tree; });
  }

 private:
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, Node*> nodes_;
};

}  // namespace onecast::cgns
