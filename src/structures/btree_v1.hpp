#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/btree_v1.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// Reads version 1 B-trees of both types: what groups and chunks have in common.
class BTreeV1 {
 public:
  BTreeV1(MetadataSource& source, Address root, BTreeV1NodeType type, std::size_t key_size)
      : source_(&source), root_(root), type_(type), key_size_(key_size) {}

  /// A node whose keys and children are read in place.
  struct Node {
    Address address;
    std::uint8_t level;
    std::uint16_t entries;
    std::uint64_t size;
    Address left, right;
    ByteView keys_and_children;
  };

  /// A child of a leaf with the key to its left, which has the length that the tree gives.
  struct Entry {
    ByteReader key;
    Address child;
  };

  [[nodiscard]] Node root() const;
  /// A child node. It must be one level below its parent.
  [[nodiscard]] Node child_node(const Node& parent, unsigned index) const;
  [[nodiscard]] ByteReader key(const Node& node, unsigned index) const;
  [[nodiscard]] Address child(const Node& node, unsigned index) const;

  /// Leaf entries from left to right.
  class Walk {
   public:
    explicit Walk(const BTreeV1& tree);  ///< the tree must outlive the walk
    explicit Walk(BTreeV1&&) = delete;
    std::optional<Entry> next();
    /// The number of nodes that the walk has come to.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

   private:
    struct Position {
      Node node;
      unsigned next;
    };
    void enter(const Node& node);

    const BTreeV1* tree_;
    std::vector<Position> path_;
    VisitedExtents visited_;
    std::uint64_t nodes_ = 0;
  };

  /// Descends to a leaf. `choose(node)` returns the index of the next child, or nothing if the
  /// searched item cannot exist. Returns the leaf and the index chosen in it.
  template <class F>
  std::optional<std::pair<Node, unsigned>> descend(F&& choose) const {
    Node node = root();
    for (;;) {
      const std::optional<unsigned> index = choose(node);
      if (!index) return std::nullopt;
      if (node.level == 0) return std::pair{node, *index};
      node = child_node(node, *index);
    }
  }

 private:
  [[nodiscard]] Node load(Address address) const;

  MetadataSource* source_;
  Address root_;
  BTreeV1NodeType type_;
  std::size_t key_size_;
};

}  // namespace onecast::structures
