#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "objects/nodes/generation.hpp"
#include "objects/nodes/node_table.hpp"

namespace onecast::nodes {

/// The objects of an open file that calls have looked up or created.
///
/// A file that one thread reads does not keep all of them: when the first ones take more than
/// first_limit(), further objects are looked up in a generation, and when that takes more than
/// later_limit(), in the next one. A generation is freed when it is not the present one and no
/// handle leads to its objects. While it exists, its objects are found there, so that all handles
/// to an object lead to one node.
class KnownNodes {
 public:
  explicit KnownNodes(OpenFile& file) : file_(file) {}

  /// Returns the node of the object at `address`, reading it if necessary. Any number of threads
  /// may call it at once. `parent` must be present().
  Node& at(Address address, Node* parent, std::string_view name) {
    return look_up(address, parent, name, Where::anywhere);
  }
  /// Returns the node of this object that lives as long as further objects that are looked up.
  Node& present(Node& node);
  /// Must come first in a call that looks up an object for a program, when the thread has no nodes
  /// except those of handles: begins a new generation if the present one is large.
  void begin_lookup() {
    if (made_.load(std::memory_order_relaxed) >= made_until_.load(std::memory_order_relaxed))
      consider_new_generation();
  }
  /// Returns the node at the address if it is known; else null.
  Node* known(Address address);
  /// Returns the node of an object that another rank names.
  Node& of(const NodeId& id);
  /// Reads the node's header again if it was forgotten. Any number of threads may call it at once.
  void recall(Node& node);
  /// Recalls the node. Returns false if its header is that of another kind of object now.
  [[nodiscard]] bool is_of_its_kind(Node& node);
  /// Ends the node of a file that is followed: another object may be at its address.
  void end(Node& node);
  /// Decodes the properties of all datasets, so that programs can ask for them while a call is
  /// pending.
  void look_at_datasets();
  /// True if every object that a path leads to is a known node.
  [[nodiscard]] std::atomic<bool>& all_known() { return all_known_; }

  Node& add_new(Node* parent, std::string_view name, ObjectKind kind);
  /// Returns the number for an object that is created.
  [[nodiscard]] std::uint64_t next_creation() { return ++creations_; }
  /// Restarts the numbers after a flush.
  void begin_creations() { creations_ = 0; }
  /// Notes that a new node is on disk now.
  void register_address(Node& node) { unregistered_.push_back(&node); }
  /// Enters a new node that already has the place that its header names.
  void enter(Node& node);
  /// Forgets the identities of new nodes, which change.
  void forget_identities();

  void note_dirty(Node& node);
  /// Returns the changed nodes that are neither new nor removed, by address.
  std::vector<Node*> dirty_stored();
  /// Notes that all changes are in the file.
  void forget_changes();

  /// Returns the nodes to which handles lead, and `others`, each with the nodes above it; and the
  /// root.
  [[nodiscard]] std::vector<Node*> held(const std::vector<Node*>& others = {});
  /// Forgets all other nodes, and the decoded contents of `held`, which held() has just returned.
  void keep_only(const std::vector<Node*>& held);
  /// Returns the number of a new walk, for Node::walk_mark.
  [[nodiscard]] std::uint32_t next_walk() { return ++walks_; }

  /// Reserves room for `count` nodes, so that the tables need not grow.
  void reserve(std::size_t count);
  /// Reserves room for `more` further nodes.
  void expect(std::size_t more);
  [[nodiscard]] std::size_t size() const;
  /// Returns the bytes of memory that nodes take, and those of generations with all that is
  /// decoded.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  enum class Where : std::uint8_t { anywhere, present };

  Node& look_up(Address address, Node* parent, std::string_view name, Where where);
  Node* find_before(Address address, Where where);
  void note_reader();
  void consider_new_generation();
  [[nodiscard]] bool is_large() const;
  /// Returns how many nodes may be worth reserving room for.
  [[nodiscard]] std::size_t most_expected() const;
  [[nodiscard]] NodeTable& table() { return later_ ? later_->nodes : nodes_; }
  void register_addresses();
  Node& add(Node* parent, std::string_view name, ObjectHeader&& header, Address address,
            ObjectKind kind);

  OpenFile& file_;
  std::uint32_t walks_ = 0;
  std::uint64_t creations_ = 0;
  std::atomic<bool> all_known_{false};
  Mutex recalling_;
  /// The number of nodes so far, and the number at which generations are considered again.
  std::atomic<std::size_t> made_{0};
  std::atomic<std::size_t> made_until_{kStep};
  static constexpr std::size_t kStep = 256;
  Mutex mutex_;  ///< guards the members below
  NodeTable nodes_;
  std::shared_ptr<Generation> later_;  ///< the present generation; null while nodes_ takes all
  std::vector<std::weak_ptr<Generation>> former_;
  /// Former generations in which nodes were found by this call, or that stay.
  std::vector<std::shared_ptr<Generation>> kept_;
  const void* reader_ = nullptr;  ///< the only thread that has looked up objects
  bool has_several_readers_ = false;
  /// The new nodes among the first nodes_in_new_nodes_, by creation_digest, for of().
  std::unordered_map<std::uint64_t, Node*> new_nodes_;
  std::size_t nodes_in_new_nodes_ = 0;
  std::size_t nodes_in_file_ = 0;  ///< the number of nodes that are not new, or were removed
  /// The nodes that changed since the last flush; some occur twice or are no longer dirty.
  std::vector<Node*> dirty_nodes_;
  std::size_t nodes_looked_at_ = 0;
  /// The nodes on disk that nodes_ does not have by address yet. They are entered at the next
  /// lookup, so the last flush need not enter them.
  std::vector<Node*> unregistered_;
};

}  // namespace onecast::nodes
