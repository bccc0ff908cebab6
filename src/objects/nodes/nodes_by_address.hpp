#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/address.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::nodes {

/// Finds nodes by the addresses of their headers: a hash table with open addressing, whose slots
/// are pointers, since files have very many objects.
class NodesByAddress {
 public:
  /// Returns null if there is none.
  [[nodiscard]] Node* find(Address address) const {
    return slots_.empty() ? nullptr : slots_[slot_of(address)];
  }
  /// Enters a node whose header has a place. It replaces the node with the same place.
  void enter(Node& node) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow(2 * used_ + kLeast);
    put(node);
  }
  /// Forgets the node, if it is the one with its place.
  void forget(const Node& node) {
    if (find(address_of(node)) != &node) return;
    std::size_t free = slot_of(address_of(node));
    // The nodes behind it that could not be in their own slots move up.
    for (std::size_t i = next(free); slots_[i] != nullptr; i = next(i)) {
      const std::size_t own = first_slot(address_of(*slots_[i]));
      const bool stays = free <= i ? free < own && own <= i : free < own || own <= i;
      if (stays) continue;
      slots_[free] = slots_[i];
      free = i;
    }
    slots_[free] = nullptr;
    --used_;
  }
  void clear() {
    slots_ = {};
    used_ = 0;
  }
  /// Reserves room for `count` nodes in all.
  void reserve(std::size_t count) {
    if (4 * count > 3 * slots_.size()) grow(count);
  }
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::uint64_t bytes() const { return slots_.size() * sizeof(Node*); }

 private:
  static constexpr std::size_t kLeast = 12;

  /// A new node may have its place before the flush that gives it its address.
  static Address address_of(const Node& node) {
    return node.is_new() ? node.header.first.address : node.address;
  }
  [[nodiscard]] std::size_t first_slot(Address address) const {
    // The upper bits of a product depend on all bits.
    constexpr unsigned kBits = 32;
    return (std::hash<Address>()(address) >> kBits) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t slot) const {
    return (slot + 1) & (slots_.size() - 1);
  }
  /// Returns the slot of the node at the address, or the free slot for it.
  [[nodiscard]] std::size_t slot_of(Address address) const {
    std::size_t i = first_slot(address);
    while (slots_[i] != nullptr && address_of(*slots_[i]) != address) i = next(i);
    return i;
  }
  void put(Node& node) {
    Node*& slot = slots_[slot_of(address_of(node))];
    if (slot == nullptr) ++used_;
    slot = &node;
  }
  void grow(std::size_t count) {
    const std::vector<Node*> before =
        std::exchange(slots_, std::vector<Node*>(std::bit_ceil(count + count / 3 + 1)));
    used_ = 0;
    for (Node* node : before)
      if (node != nullptr) put(*node);
  }

  std::vector<Node*> slots_;  ///< their number is a power of two; at least a quarter is free
  std::size_t used_ = 0;
};

}  // namespace onecast::nodes
