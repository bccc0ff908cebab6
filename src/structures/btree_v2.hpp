#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2.hpp"
#include "structures/btree_v2_shape.hpp"
#include "structures/metadata_source.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// Reads a version 2 B-tree of any type; the caller interprets the records.
class BTreeV2 {
 public:
  BTreeV2(MetadataSource& source, Address header);
  /// Throws Error (format) if the tree has another type or record size.
  BTreeV2(MetadataSource& source, Address header, BTreeV2Type type, std::uint64_t record_size);

  [[nodiscard]] const BTreeV2Header& header() const { return header_; }
  [[nodiscard]] Address address() const { return address_; }

  /// Calls `each(ByteView record)` in the order of the records.
  template <class F>
  void for_each(F&& each) const {
    Walk walk(*this);
    while (const auto record = walk.next()) each(*record);
  }

  /// Calls `each(Address, size)` for all nodes, each of its full size.
  template <class F>
  void for_each_node(F&& each) const {
    VisitedExtents visited;
    std::vector<Node> left;
    if (auto node = root()) left.push_back(std::move(*node));
    while (!left.empty()) {
      const Node node = std::move(left.back());
      left.pop_back();
      visited.add(node.address, node.size, source_->file(), "Version 2 B-tree Node");
      each(node.address, std::uint64_t{header_.node_size});
      for (std::size_t i = 0; i < node.children.size(); ++i) left.push_back(child(node, i));
    }
  }

  /// The record for which `compare(record)` is 0. `compare` is negative for records that sort
  /// before the searched one, positive for those after it.
  template <class F>
  std::optional<ByteView> find(F&& compare) const {
    std::optional<Node> node = root();
    while (node) {
      std::uint64_t low = 0;
      std::uint64_t high = record_count(*node);
      while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        const ByteView at = record(*node, middle);
        const auto order = compare(at);
        if (order == 0) return at;
        if (order < 0)
          low = middle + 1;
        else
          high = middle;
      }
      if (node->level == 0) break;
      node = child(*node, low);
    }
    return std::nullopt;
  }

  struct Node {
    Address address;
    unsigned level;
    std::uint64_t size;
    ByteView records;
    std::vector<BTreeV2ChildPointer> children;  ///< none in leaves
  };

  /// The root node, if the tree has records.
  [[nodiscard]] std::optional<Node> root() const;
  /// Reads a node, of the level and record count that its parent gives.
  [[nodiscard]] Node load(Address address, unsigned level, std::uint64_t record_count) const;
  /// A child of an internal node, one level below it.
  [[nodiscard]] Node child(const Node& parent, std::uint64_t index) const;
  [[nodiscard]] std::uint64_t record_count(const Node& node) const {
    return node.records.size() / header_.record_size;
  }
  [[nodiscard]] ByteView record(const Node& node, std::uint64_t index) const {
    return node.records.subspan(static_cast<std::size_t>(index * header_.record_size),
                                header_.record_size);
  }

  /// Records from left to right.
  class Walk {
   public:
    explicit Walk(const BTreeV2& tree);  ///< the tree must outlive the walk
    explicit Walk(BTreeV2&&) = delete;
    std::optional<ByteView> next();

   private:
    struct Position {
      Node node;
      std::uint64_t next_child;
      std::uint64_t next_record;
    };
    void enter(Node node);
    void finish() const;

    const BTreeV2* tree_;
    std::vector<Position> path_;
    std::uint64_t seen_ = 0;
    VisitedExtents visited_;
  };

 private:
  MetadataSource* source_;
  Address address_;
  BTreeV2Header header_;
  BTreeV2Shape shape_;
};

}  // namespace onecast::structures
