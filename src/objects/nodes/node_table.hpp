#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/memory/arena.hpp"
#include "objects/nodes/node.hpp"

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
    constexpr std::uint64_t kOfOne = sizeof(Node) + 4 * sizeof(void*);
    return nodes_.size() * kOfOne + addresses_->memory.used();
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
    addresses_->nodes.reserve(count);
  }
  /// Reserves room for `more` further addresses.
  void expect(std::size_t more) {
    auto& known = addresses_->nodes;
    const std::size_t wanted = known.size() + more;
    const std::size_t room = known.bucket_count();
    if (wanted > room) known.reserve(std::max(wanted, 2 * room));
  }

  /// Returns the entry of the address, which does not move. It is null while the object is read, or
  /// if it could not be read.
  [[nodiscard]] Node*& at(Address address) { return addresses_->nodes[address]; }
  [[nodiscard]] Node* find(Address address) const {
    const auto known = addresses_->nodes.find(address);
    return known == addresses_->nodes.end() ? nullptr : known->second;
  }

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
    addresses_ = std::make_unique<Addresses>();
  }

 private:
  struct Addresses {
    ArenaMemory memory;
    std::pmr::unordered_map<Address, Node*> nodes{&memory};
  };

  ArenaMemory places_;
  std::vector<void*> free_;  ///< the memory of destroyed nodes
  std::vector<Node*> nodes_;
  std::unique_ptr<Addresses> addresses_ = std::make_unique<Addresses>();
};

}  // namespace onecast::nodes
