#include "structures/btree_v1.hpp"

#include "structures/read_record.hpp"

namespace onecast::structures {

BTreeV1::Node BTreeV1::load(Address address) const {
  const FileContext& file = source_->file();
  const std::uint64_t prefix = BTreeV1Node::prefix_size(file);
  ByteReader in(source_->view(address, prefix, BTreeV1Node::kTitle), address, file,
                BTreeV1Node::kTitle);
  BTreeV1Node node;
  Decoder decoder(in);
  BTreeV1Node::prefix(decoder, node);
  if (node.type != type_)
    reader_at(*source_, address, BTreeV1Node::kTitle).fail("Node Type", "is not that of the tree");

  const std::uint64_t size = prefix + BTreeV1Node::entries_size(file, key_size_, node.entries_used);
  const ByteView all = source_->view(address, size, BTreeV1Node::kTitle);
  return {address,
          node.level,
          node.entries_used,
          size,
          node.left_sibling,
          node.right_sibling,
          all.subspan(static_cast<std::size_t>(prefix))};
}

BTreeV1::Node BTreeV1::root() const { return load(root_); }

BTreeV1::Node BTreeV1::child_node(const Node& parent, unsigned index) const {
  const Node node = load(child(parent, index));
  if (node.level + 1U != parent.level)
    reader_at(*source_, node.address, BTreeV1Node::kTitle)
        .fail("Node Level", "is not one below that of the parent");
  return node;
}

ByteReader BTreeV1::key(const Node& node, unsigned index) const {
  const FileContext& file = source_->file();
  const std::size_t at = index * (key_size_ + file.size_of_offsets);
  const Address where = node.address + BTreeV1Node::prefix_size(file) + at;
  return {node.keys_and_children.subspan(at, key_size_), where, file, BTreeV1Node::kTitle};
}

Address BTreeV1::child(const Node& node, unsigned index) const {
  const FileContext& file = source_->file();
  const std::size_t at = index * (key_size_ + file.size_of_offsets) + key_size_;
  const Address where = node.address + BTreeV1Node::prefix_size(file) + at;
  ByteReader in(node.keys_and_children.subspan(at, file.size_of_offsets), where, file,
                BTreeV1Node::kTitle);
  Address address;
  Decoder(in).address("Child Pointer", address);
  return address;
}

BTreeV1::Walk::Walk(const BTreeV1& tree) : tree_(&tree) { enter(tree.root()); }

void BTreeV1::Walk::enter(const Node& node) {
  visited_.add(node.address, node.size, tree_->source_->file(), BTreeV1Node::kTitle);
  path_.push_back({node, 0});
  ++nodes_;
}

std::optional<BTreeV1::Entry> BTreeV1::Walk::next() {
  // The path is never longer than the level of the root (one byte) plus one.
  while (!path_.empty()) {
    Position& at = path_.back();
    if (at.next == at.node.entries) {
      path_.pop_back();
      continue;
    }
    const unsigned index = at.next++;
    if (at.node.level == 0) return Entry{tree_->key(at.node, index), tree_->child(at.node, index)};
    enter(tree_->child_node(at.node, index));
  }
  return std::nullopt;
}

}  // namespace onecast::structures
