#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "objects/tree/node_table.hpp"

namespace onecast::tree {

/// The objects of an open file that somebody has looked at, and those that calls have made.
class KnownNodes {
 public:
  /// `owner` is `file`, as nodes name it to the rooms above.
  KnownNodes(FileState& owner, OpenFile& file) : owner_(owner), file_(file) {}

  /// The node of the object at `address`, read if need be. Any number of threads may ask at once.
  Node& at(Address address, Node* parent, std::string_view name);
  /// The node that is known to be there; else null.
  Node* known(Address address);
  /// The node that another rank means.
  Node& of(const NodeId& id);
  /// Its header, if that was forgotten. Any number of threads may call it at once.
  void recall(Node& node);
  /// Looks at what all datasets are, so that they can be asked for it while a call is pending.
  void look_at_datasets();
  /// Is every object that a path leads to a known node?
  [[nodiscard]] std::atomic<bool>& all_known() { return all_known_; }

  Node& add_new(Node* parent, std::string_view name, ObjectKind kind);
  /// A number for an object that is created.
  [[nodiscard]] std::uint64_t next_creation() { return ++creations_; }
  /// None was created since the last flush.
  void begin_creations() { creations_ = 0; }
  /// A new node is on disk now.
  void register_address(Node& node) { unregistered_.push_back(&node); }
  /// A new node has the place already that its header names.
  void enter(Node& node);
  /// New nodes have other identities from now on.
  void forget_identities();

  void note_dirty(Node& node);
  /// Those that changed, but are not new nor removed, by address.
  std::vector<Node*> dirty_stored();
  /// All that changed is in the file.
  void forget_changes();

  /// Those to which handles lead, and `others`, with those above them; and the root.
  [[nodiscard]] std::vector<Node*> held(const std::vector<Node*>& others = {});
  /// Forgets all others, and of these, which held() has just found, what is decoded.
  void keep_only(const std::vector<Node*>& held);
  /// For Node::walk_mark.
  [[nodiscard]] std::uint64_t next_walk() { return ++walks_; }

  /// So many nodes are likely: spares the tables their growth.
  void reserve(std::size_t count) { nodes_.reserve(count); }
  /// So many more are.
  void expect(std::size_t more);
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// Of memory.
  [[nodiscard]] std::uint64_t bytes() const { return nodes_.bytes(); }

 private:
  void register_addresses();
  Node& add(Node* parent, std::string_view name, ObjectHeader&& header, Address address,
            ObjectKind kind);

  FileState& owner_;
  OpenFile& file_;
  std::uint64_t walks_ = 0;
  std::uint64_t creations_ = 0;
  std::atomic<bool> all_known_{false};
  Mutex recalling_;
  Mutex mutex_;  ///< of what follows
  NodeTable nodes_;
  /// New ones, of so many nodes, by creation_digest: made for of().
  std::unordered_map<std::uint64_t, Node*> new_nodes_;
  std::size_t nodes_in_new_nodes_ = 0;
  std::size_t nodes_in_file_ = 0;   ///< so many nodes are not new, or were removed
  std::vector<Node*> dirty_nodes_;  ///< since the last flush; some twice, or not dirty any more
  std::size_t nodes_looked_at_ = 0;
  /// Not in nodes_ by their address yet, but on disk: entered once somebody looks, which after the
  /// last flush nobody does.
  std::vector<Node*> unregistered_;
};

}  // namespace onecast::tree
