#pragma once

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "structures/btree_v1.hpp"
#include "structures/btree_v2.hpp"
#include "structures/read_record.hpp"

/// Walks B-trees node by node: only what lies below a damaged node is skipped.
namespace onecast::check {

/// An entry of a node.
struct BTreeV1Step {
  const BTreeV1::Node& node;
  unsigned index;
};
/// The entries from the root to a leaf.
using BTreeV1Path = std::vector<BTreeV1Step>;

/// Calls `each(path)` for every entry of every leaf. `node_size` is the size of a full node.
template <class F>
class BTreeV1Check {
 public:
  BTreeV1Check(CheckContext& context, const BTreeV1& tree, std::uint64_t node_size, F each)
      : context_(context), tree_(tree), node_size_(node_size), each_(std::move(each)) {}

  void run() {
    context_.attempt("", [&] { visit(tree_.root()); });
  }

 private:
  void visit(const BTreeV1::Node& node) {
    if (!context_.claim(node.address, BTreeV1Node::kTitle)) return;
    context_.source.map().reserve(node.address.value, node_size_);
    for (unsigned i = 0; i < node.entries; ++i) {
      path_.push_back({node, i});
      context_.attempt("", [&] {
        // Levels descend, so the recursion ends.
        node.level == 0 ? each_(path_) : visit(tree_.child_node(node, i));
      });
      path_.pop_back();
    }
  }

  CheckContext& context_;
  const BTreeV1& tree_;
  std::uint64_t node_size_;
  F each_;
  BTreeV1Path path_;
};

/// Calls `each(ByteView record, Address node)` for every record. Compares the number of records
/// with the counts in the nodes above.
template <class F>
class BTreeV2Check {
 public:
  BTreeV2Check(CheckContext& context, const BTreeV2& tree, F each)
      : context_(context), tree_(tree), each_(std::move(each)) {}

  void run() {
    if (!context_.claim(tree_.address(), BTreeV2Header::kTitle)) return;
    context_.attempt("", [&] {
      std::optional<std::uint64_t> count = 0;
      if (const auto root = tree_.root()) count = visit(*root);
      compare(count, tree_.header().total_record_count, tree_.address(), BTreeV2Header::kTitle,
              "Total Number of Records in B-tree");
    });
  }

 private:
  /// The number of records; nothing if it is not known.
  std::optional<std::uint64_t> visit(const BTreeV2::Node& node) {
    if (!context_.claim(node.address, "Version 2 B-tree Node")) return std::nullopt;
    context_.source.map().reserve(node.address.value, tree_.header().node_size);
    const std::uint64_t count = tree_.record_count(node);
    for (std::uint64_t i = 0; i < count; ++i)
      context_.attempt("", [&] { each_(tree_.record(node, i), node.address); });
    std::optional<std::uint64_t> total = count;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      std::optional<std::uint64_t> below;
      context_.attempt("", [&] {
        below = visit(tree_.child(node, i));
        if (node.level > 1)
          compare(below, node.children[i].total_record_count, node.address,
                  BTreeV2InternalNode::kTitle, "Total Number of Records for Child Node");
      });
      if (total && below)
        *total += *below;
      else
        total.reset();
    }
    return total;
  }

  void compare(std::optional<std::uint64_t> found, std::uint64_t stored, Address where,
               const char* title, const char* field) {
    if (found && *found != stored)
      reader_at(context_.source, where, title)
          .fail(field, fmt::format("is {}, there are {}", stored, *found));
  }

  CheckContext& context_;
  const BTreeV2& tree_;
  F each_;
};

}  // namespace onecast::check
