#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/block_edits.hpp"
#include "structures/btree_v2.hpp"

namespace onecast::structures {

/// Changes a version 2 B-tree in place: only the nodes on the path to a record, and neighbours that
/// share their records, are written. As other writers expect, a node is split when it is above the
/// header's split percentage; nodes are merged, or share their records, when one falls below the
/// merge percentage.
class BTreeV2Edit {
 public:
  /// Negative for records that sort before the searched one, positive for those after it.
  using Compare = std::function<int(ByteView record)>;

  BTreeV2Edit(BlockEdits& blocks, Address header, BTreeV2Type type, std::uint16_t record_size);
  /// Makes a new tree without records.
  BTreeV2Edit(BlockEdits& blocks, BTreeV2Type type, std::uint16_t record_size);
  BTreeV2Edit(const BTreeV2Edit&) = delete;
  BTreeV2Edit& operator=(const BTreeV2Edit&) = delete;
  ~BTreeV2Edit() = default;

  /// True if nodes of this size can be split and merged; if not, the tree must be written anew.
  [[nodiscard]] bool is_changeable() const;
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] std::uint64_t record_count() const { return header_.total_record_count; }

  /// The record for which `compare` is 0; valid until the next change.
  std::optional<ByteView> find(const Compare& compare);
  /// Throws Error (format) if the tree has a record for which `compare` is 0.
  void insert(ByteView record, const Compare& compare);
  /// Replaces the record for which `compare` is 0. Returns false if there is none.
  bool replace(ByteView record, const Compare& compare);
  /// Returns false if there is none.
  bool remove(const Compare& compare);

  /// Gives changed nodes of the stored tree, and the nodes above them, new places, so that only the
  /// header changes in place. Comes before finish(), if at all.
  void move_changed();
  /// Encodes the changes into the blocks.
  void finish();
  /// Called instead of finish(), for a tree without records that is not used any more.
  void release();

 private:
  struct Node {
    Address address;
    unsigned level = 0;
    std::vector<std::byte> records;
    std::vector<BTreeV2ChildPointer> children;  ///< none in leaves
    bool changed = false;
    bool is_new = false;
  };
  /// A node on a path, with the index of the record, or of the child before that record.
  struct Step {
    Node* node;
    std::size_t index;
  };
  using Way = std::vector<Step>;

  /// The most records that a node may have, and the least that any node but the root must have.
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
  /// Finds the path to the record, or to its place in a leaf. Returns true if the record exists.
  bool find_way(const Compare& compare, Way& way);

  Node& load(Address address, unsigned level, std::uint64_t record_count);
  Node& child(const Node& parent, std::size_t index);
  Node& add_node(unsigned level);
  void drop(Node& node);
  [[nodiscard]] std::uint64_t total(const Node& node) const;

  void count_on_way(const Way& way);
  void mend_overflow(Way& way);
  void mend_underflow(Way& way);
  /// Distributes the records of two neighbours, and the one between them, evenly.
  void share(Node& parent, std::size_t left);
  void split(Node& parent, std::size_t index);
  void merge(Node& parent, std::size_t left);
  /// Distributes all records but one to `left` and `right`; that one becomes the parent's.
  void deal(Node& parent, std::size_t left_index, Node& left, Node& right,
            const std::vector<std::byte>& records,
            const std::vector<BTreeV2ChildPointer>& children);

  Address moved(Node& node);
  void encode(const Node& node);
  void encode_header();

  BlockEdits& blocks_;
  Address address_;
  BTreeV2Header header_;
  BTreeV2Shape shape_;
  std::optional<BTreeV2> stored_;  ///< absent for a new tree
  std::map<Address, Node> nodes_;  ///< the nodes read so far
  Node* root_ = nullptr;
  bool changed_ = false;
};

}  // namespace onecast::structures
