#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "objects/nodes/node.hpp"
#include "objects/nodes/nodes_by_address.hpp"

namespace onecast::nodes {

/// The objects that are known in an open file, and their addresses. A node does not move while it
/// is in the table.
class NodeTable {
 public:
  NodeTable() = default;
  NodeTable(const NodeTable&) = delete;
  NodeTable& operator=(const NodeTable&) = delete;
  ~NodeTable() {
    for (Node* node : nodes_) std::destroy_at(node);
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] Node& operator[](std::size_t i) const { return *nodes_[i]; }
  /// Returns the bytes of the nodes and of the tables that find them.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kOfOne = sizeof(Node) + 2 * sizeof(void*);
    return nodes_.size() * kOfOne + addresses_.bytes();
  }

  template <class... Arguments>
  Node& add(Arguments&&... arguments) {
    if (free_.empty()) free_.push_back(places_.allocate(sizeof(Node), alignof(Node)));
    nodes_.push_back(new (free_.back()) Node(std::forward<Arguments>(arguments)...));
    free_.pop_back();
    return *nodes_.back();
  }
  void reserve(std::size_t count) {
    nodes_.reserve(count);
    addresses_.reserve(count);
  }
  /// Reserves room for `more` further addresses.
  void expect(std::size_t more) { addresses_.reserve(addresses_.size() + more); }

  [[nodiscard]] Node* find(Address address) const { return addresses_.find(address); }
  void enter(Node& node) { addresses_.enter(node); }
  void forget_address(const Node& node) { addresses_.forget(node); }

  /// Destroys all nodes for which `stays` returns false, and forgets all addresses.
  template <class Stays>
  void keep(const Stays& stays) {
    free_.reserve(free_.size() + nodes_.size());
    std::erase_if(nodes_, [&](Node* node) {
      if (stays(*node)) return false;
      std::destroy_at(node);
      free_.push_back(node);
      return true;
    });
    nodes_.shrink_to_fit();
    addresses_.clear();
  }

 private:
  ArenaMemory places_;
  std::vector<void*> free_;  ///< the memory of destroyed nodes
  std::vector<Node*> nodes_;
  NodesByAddress addresses_;
};

}  // namespace onecast::nodes
