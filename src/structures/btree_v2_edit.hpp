#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/block_edits.hpp"
#include "structures/btree_v2.hpp"

namespace onecast::structures {

/// Changes a version 2 B-tree where it lies: only the nodes on the way to a record, and their
/// neighbours where records are dealt anew, are written. A node is split when it is above the
/// header's split percentage; nodes are merged, or share their records, when one falls below the
/// merge percentage: what other writers rely on when they go on.
class BTreeV2Edit {
 public:
  /// Negative for records that sort before the one that is meant, positive for those behind it.
  using Compare = std::function<int(ByteView record)>;

  BTreeV2Edit(BlockEdits& blocks, Address header, BTreeV2Type type, std::uint16_t record_size);
  /// A new tree without records.
  BTreeV2Edit(BlockEdits& blocks, BTreeV2Type type, std::uint16_t record_size);
  BTreeV2Edit(const BTreeV2Edit&) = delete;
  BTreeV2Edit& operator=(const BTreeV2Edit&) = delete;
  ~BTreeV2Edit() = default;

  /// Can nodes of this size be split and merged? Else the tree must be written anew.
  [[nodiscard]] bool is_changeable() const;
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] std::uint64_t record_count() const { return header_.total_record_count; }

  /// The record for which `compare` is 0, until the next change.
  std::optional<ByteView> find(const Compare& compare);
  /// Throws Error (format) if there is one for which `compare` is 0.
  void insert(ByteView record, const Compare& compare);
  /// Puts `record` in the place of the one for which `compare` is 0. False if there is none.
  bool replace(ByteView record, const Compare& compare);
  /// False if there is none.
  bool remove(const Compare& compare);

  /// Encodes what has changed, into the blocks.
  void finish();
  /// Instead: the tree, of no records, is not used any more.
  void release();

 private:
  struct Node {
    Address address;
    unsigned level = 0;
    std::vector<std::byte> records;
    std::vector<BTreeV2ChildPointer> children;  ///< none in leaves
    bool changed = false;
  };
  /// A node and the record, or the child before it, that the way goes by.
  struct Step {
    Node* node;
    std::size_t index;
  };
  using Way = std::vector<Step>;

  /// How many records a node may have, and how many it must, if it is not the root.
  struct Limits {
    std::size_t most;
    std::size_t least;
  };
  [[nodiscard]] Limits limits(const BTreeV2Shape::Level& level) const;

  [[nodiscard]] std::size_t count(const Node& node) const {
    return node.records.size() / header_.record_size;
  }
  [[nodiscard]] ByteView record(const Node& node, std::size_t index) const;
  void put(Node& node, std::size_t index, ByteView record) const;
  void take_out(Node& node, std::size_t index) const;
  /// Leads to the record, or to where it would stand in a leaf. Returns whether it is there.
  bool find_way(const Compare& compare, Way& way);

  Node& load(Address address, unsigned level, std::uint64_t record_count);
  Node& child(const Node& parent, std::size_t index);
  Node& add_node(unsigned level);
  void drop(Node& node);
  [[nodiscard]] std::uint64_t total(const Node& node) const;

  void count_on_way(const Way& way);
  void mend_overflow(Way& way);
  void mend_underflow(Way& way);
  /// Deals the records of two neighbours, and the one between them, anew.
  void share(Node& parent, std::size_t left);
  void split(Node& parent, std::size_t index);
  void merge(Node& parent, std::size_t left);
  /// Gives `left` and `right` all records but one, which becomes the parent's.
  void deal(Node& parent, std::size_t left_index, Node& left, Node& right,
            const std::vector<std::byte>& records,
            const std::vector<BTreeV2ChildPointer>& children);

  void encode(const Node& node);
  void encode_header();

  BlockEdits& blocks_;
  Address address_;
  BTreeV2Header header_;
  BTreeV2Shape shape_;
  std::optional<BTreeV2> stored_;  ///< none of a new tree
  std::map<Address, Node> nodes_;  ///< those looked at
  Node* root_ = nullptr;
  bool changed_ = false;
};

}  // namespace onecast::structures
