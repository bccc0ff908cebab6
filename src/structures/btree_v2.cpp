#include "structures/btree_v2.hpp"

#include <fmt/format.h>

#include "structures/read_record.hpp"

namespace onecast::structures {

BTreeV2::BTreeV2(MetadataSource& source, Address header)
    : source_(&source),
      address_(header),
      header_(read_record<BTreeV2Header>(source, header, BTreeV2Header::size(source.file()))),
      shape_(header_.node_size, header_.record_size, source.file().size_of_offsets) {
  // A node has at least two children, so 8-byte counts limit the depth to a harmless value.
  if (!shape_.reach(header_.depth))
    reader_at(source, header, BTreeV2Header::kTitle)
        .fail("Depth", "is more than nodes of this size can make up");
}

BTreeV2::BTreeV2(MetadataSource& source, Address header, BTreeV2Type type,
                 std::uint64_t record_size)
    : BTreeV2(source, header) {
  const ByteReader in = reader_at(source, header, BTreeV2Header::kTitle);
  if (header_.type != type)
    in.fail("Type", fmt::format("is {}, expected {}", static_cast<unsigned>(header_.type),
                                static_cast<unsigned>(type)));
  if (header_.record_size != record_size)
    in.fail("Record Size", fmt::format("is {}, expected {}", header_.record_size, record_size));
}

BTreeV2::Node BTreeV2::load(Address address, unsigned level, std::uint64_t record_count) const {
  const BTreeV2Shape::Level& shape = shape_.level(level);
  if (record_count > shape.max_records)
    reader_at(*source_, address, level == 0 ? BTreeV2LeafNode::kTitle : BTreeV2InternalNode::kTitle)
        .fail("Number of Records", "is more than the node can hold");
  const std::uint64_t records_size = record_count * header_.record_size;
  Node loaded{address, level, kBTreeV2NodeOverhead + records_size, {}, {}};
  BTreeV2Type type{};
  if (level == 0) {
    BTreeV2LeafNode node;
    node.records_size = records_size;
    node = read_record(*source_, address, loaded.size, node);
    loaded.records = node.records;
    type = node.type;
  } else {
    BTreeV2InternalNode node;
    node.records_size = records_size;
    node.child_count = record_count + 1;
    node.record_count_size = shape.record_count_size;
    node.total_record_count_size = shape.total_count_size;
    loaded.size += node.child_count * (std::uint64_t{source_->file().size_of_offsets} +
                                       shape.record_count_size + shape.total_count_size);
    node = read_record(*source_, address, loaded.size, std::move(node));
    loaded.records = node.records;
    loaded.children = std::move(node.children);
    type = node.type;
  }
  if (type != header_.type)
    reader_at(*source_, address, "Version 2 B-tree Node").fail("Type", "is not that of the header");
  return loaded;
}

std::optional<BTreeV2::Node> BTreeV2::root() const {
  if (!header_.root_node.is_defined()) return std::nullopt;
  return load(header_.root_node, header_.depth, header_.root_record_count);
}

BTreeV2::Node BTreeV2::child(const Node& parent, std::uint64_t index) const {
  const BTreeV2ChildPointer& pointer = parent.children[static_cast<std::size_t>(index)];
  return load(pointer.node, parent.level - 1, pointer.record_count);
}

BTreeV2::Walk::Walk(const BTreeV2& tree) : tree_(&tree) {
  if (auto root = tree.root()) enter(std::move(*root));
}

void BTreeV2::Walk::enter(Node node) {
  visited_.add(node.address, node.size, tree_->source_->file(), "Version 2 B-tree Node");
  path_.push_back({std::move(node), 0, 0});
}

void BTreeV2::Walk::finish() const {
  if (seen_ != tree_->header_.total_record_count)
    reader_at(*tree_->source_, tree_->address_, BTreeV2Header::kTitle)
        .fail("Total Number of Records in B-tree", fmt::format("the nodes have {} records", seen_));
}

std::optional<ByteView> BTreeV2::Walk::next() {
  // The path is never longer than the depth plus one. Children and records alternate.
  while (!path_.empty()) {
    Position& at = path_.back();
    if (at.next_child == at.next_record && at.next_child < at.node.children.size()) {
      const std::uint64_t index = at.next_child++;
      enter(tree_->child(at.node, index));
      continue;
    }
    if (at.next_record == tree_->record_count(at.node)) {
      path_.pop_back();
      continue;
    }
    ++seen_;
    return tree_->record(at.node, at.next_record++);
  }
  finish();
  return std::nullopt;
}

}  // namespace onecast::structures
