#include "structures/chunks/chunk_btree_v1_edit.hpp"

#include <algorithm>

#include "format/infra/btree_v1.hpp"
#include "structures/chunks/chunk_btree_v1_pieces.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {

ChunkBTreeV1Edit::ChunkBTreeV1Edit(MetadataSource& source, const ChunkGrid& grid,
                                   std::uint64_t element_size, Address root, unsigned node_k,
                                   Take take)
    : source_(source),
      grid_(grid),
      element_size_(element_size),
      root_(root),
      most_(2 * std::size_t{node_k}),
      key_size_(BTreeV1ChunkKey::size(grid.rank)),
      stride_(key_size_ + source.file().size_of_offsets),
      node_size_(ChunkBTreeV1Pieces::node_size(grid.rank, node_k, source.file())),
      take_(std::move(take)) {
  if (node_k == 0) fail(load(root_), "Entries Used", "cannot be more than 0");
  load(root_);
}

// --- one node -----------------------------------------------------------------------------------
void ChunkBTreeV1Edit::fail(const Node& node, const char* field, const char* what) const {
  reader_at(source_, node.address, BTreeV1Node::kTitle).fail(field, what);
}

ChunkBTreeV1Edit::Node& ChunkBTreeV1Edit::load(Address address) {
  if (const auto known = nodes_.find(address.value); known != nodes_.end()) return known->second;
  BTreeV1Node record;
  record.key_size = key_size_;
  record = read_record(source_, address, node_size_, record);
  Node node;
  node.address = address;
  if (record.type != BTreeV1NodeType::chunk) fail(node, "Node Type", "is not that of the tree");
  if (record.entries_used > most_ || (record.entries_used == 0 && address != root_))
    fail(node, "Entries Used", "is 0, or more than a node holds");
  visited_.add(address, node_size_, source_.file(), BTreeV1Node::kTitle);
  node.level = record.level;
  node.count = record.entries_used;
  node.left = record.left_sibling;
  node.right = record.right_sibling;
  node.entries.assign(record.keys_and_children.begin(), record.keys_and_children.end());
  Node& kept = nodes_.emplace(address.value, std::move(node)).first->second;
  order_.push_back(&kept);
  return kept;
}

ChunkBTreeV1Edit::Node& ChunkBTreeV1Edit::add_node(unsigned level) {
  Node node;
  node.address = take_(node_size_);
  node.level = level;
  node.entries.resize(key_size_);
  node.changed = true;
  Node& kept = nodes_.emplace(node.address.value, std::move(node)).first->second;
  order_.push_back(&kept);
  return kept;
}

void ChunkBTreeV1Edit::give_back(Node& node) {
  node.is_gone = true;
  released_.push_back({node.address, node_size_});
}

std::span<std::byte> ChunkBTreeV1Edit::key(Node& node, std::size_t i) const {
  return std::span(node.entries).subspan(i * stride_, key_size_);
}

Address ChunkBTreeV1Edit::child(const Node& node, std::size_t i) const {
  const auto& file = source_.file();
  const ByteView bytes =
      ByteView(node.entries).subspan(i * stride_ + key_size_, file.size_of_offsets);
  ByteReader in(bytes, node.address, file, BTreeV1Node::kTitle);
  Address address;
  Decoder(in).address("Child Pointer", address);
  return address;
}

void ChunkBTreeV1Edit::set_key(Node& node, std::size_t i, const Key& key) const {
  const std::span<std::byte> place = this->key(node, i);
  if (std::ranges::equal(place, key)) return;
  std::ranges::copy(key, place.begin());
  node.changed = true;
}

void ChunkBTreeV1Edit::set_child(Node& node, std::size_t i, Address child) const {
  ByteWriter(std::span(node.entries).subspan(i * stride_ + key_size_))
      .uint(child.value, source_.file().size_of_offsets);
  node.changed = true;
}

void ChunkBTreeV1Edit::insert_entry(Node& node, std::size_t i, const Key& key,
                                    Address child) const {
  node.entries.insert(node.entries.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                      std::byte{0});
  ++node.count;
  set_key(node, i, key);
  set_child(node, i, child);
}

ChunkBTreeV1Edit::Key ChunkBTreeV1Edit::key_of(const ChunkEntry& chunk) const {
  BTreeV1ChunkKey record;
  record.rank = grid_.rank;
  record.chunk_size = static_cast<std::uint32_t>(chunk.size);
  record.filter_mask = chunk.filter_mask;
  for (unsigned d = 0; d < grid_.rank; ++d) record.offset[d] = chunk.at[d] * grid_.chunk[d];
  Key key(key_size_);
  ByteWriter out(key);
  format::encode(out, source_.file(), record);
  return key;
}

/// A key after every existing chunk: one chunk further in each dimension than the last.
ChunkBTreeV1Edit::Key ChunkBTreeV1Edit::key_behind(const ChunkCoordinates& last) const {
  BTreeV1ChunkKey record;
  record.rank = grid_.rank;
  for (unsigned d = 0; d < grid_.rank; ++d) record.offset[d] = (last[d] + 1) * grid_.chunk[d];
  record.element_offset = element_size_;
  Key key(key_size_);
  ByteWriter out(key);
  format::encode(out, source_.file(), record);
  return key;
}

std::strong_ordering ChunkBTreeV1Edit::compare(const Node& node, std::size_t i,
                                               const ChunkCoordinates& at) const {
  ByteReader key(ByteView(node.entries).subspan(i * stride_, key_size_), node.address,
                 source_.file(), BTreeV1ChunkKey::kTitle);
  key.seek(8, "Offset of the chunk within the dataset");
  for (unsigned d = 0; d < grid_.rank; ++d) {
    const std::uint64_t offset = key.uint(8, "Offset of the chunk within the dataset");
    if (const std::uint64_t wanted = at[d] * grid_.chunk[d]; offset != wanted)
      return offset <=> wanted;
  }
  return std::strong_ordering::equal;
}

std::size_t ChunkBTreeV1Edit::not_behind(const Node& node, const ChunkCoordinates& at) const {
  std::size_t low = 0;
  for (std::size_t high = node.count; low < high;) {
    const std::size_t middle = (low + high) / 2;
    if (compare(node, middle, at) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// --- the tree -----------------------------------------------------------------------------------
ChunkBTreeV1Edit::Path ChunkBTreeV1Edit::path_to(const ChunkCoordinates& at) {
  Path path;
  for (Node* node = &load(root_);;) {
    const std::size_t before = not_behind(*node, at);
    path.push_back({node, before == 0 ? 0 : before - 1});
    if (node->level == 0) return path;
    if (node->count == 0) fail(*node, "Entries Used", "is 0");
    Node& next = load(child(*node, path.back().at));
    if (next.level + 1 != node->level)
      fail(next, "Node Level", "is not one below that of the parent");
    node = &next;
  }
}

void ChunkBTreeV1Edit::set_first_key(const Path& path, std::size_t depth, const Key& key,
                                     bool is_other) {
  for (;; --depth) {
    const Node& node = *path[depth].node;
    if (is_other && node.left.is_defined()) {
      Node& left = load(node.left);
      set_key(left, left.count, key);
    }
    if (depth == 0) return;
    const auto [parent, at] = path[depth - 1];
    set_key(*parent, at, key);
    if (at != 0) return;
  }
}

void ChunkBTreeV1Edit::remove(const ChunkCoordinates& at) {
  const Path path = path_to(at);
  Node& leaf = *path.back().node;
  const std::size_t i = path.back().at;
  if (leaf.count != 0 && compare(leaf, i, at) == 0) erase(path, path.size() - 1, i);
}

void ChunkBTreeV1Edit::erase(const Path& path, std::size_t depth, std::size_t i) {
  Node& node = *path[depth].node;
  node.changed = true;
  if (node.count == 1 && depth != 0) {
    unlink(node);
    give_back(node);
    return erase(path, depth - 1, path[depth - 1].at);
  }
  const auto first = node.entries.begin() + static_cast<std::ptrdiff_t>(i * stride_);
  node.entries.erase(first, first + static_cast<std::ptrdiff_t>(stride_));
  --node.count;
  if (node.count == 0)
    node.level = 0;  // only the root can be empty
  else if (i == 0)
    set_first_key(path, depth, Key(key(node, 0).begin(), key(node, 0).end()), true);
}

void ChunkBTreeV1Edit::unlink(const Node& node) {
  const std::span<const std::byte> last = std::span(node.entries).last(key_size_);
  if (node.left.is_defined()) {
    Node& left = load(node.left);
    left.right = node.right;
    set_key(left, left.count, Key(last.begin(), last.end()));
    left.changed = true;
  }
  if (node.right.is_defined()) {
    Node& right = load(node.right);
    right.left = node.left;
    right.changed = true;
  }
}

void ChunkBTreeV1Edit::set(const ChunkEntry& chunk) {
  Path path = path_to(chunk.at);
  const std::size_t depth = path.size() - 1;
  Node& leaf = *path[depth].node;
  const Key key = key_of(chunk);
  const std::size_t i = not_behind(leaf, chunk.at);
  if (i != 0 && compare(leaf, i - 1, chunk.at) == 0) {
    set_key(leaf, i - 1, key);
    if (child(leaf, i - 1) != chunk.address) set_child(leaf, i - 1, chunk.address);
    if (i == 1) set_first_key(path, depth, key, false);
    return;
  }
  // Keys are set first, since a split changes the path.
  if (i == 0) set_first_key(path, depth, key, true);
  if (i == leaf.count && !leaf.right.is_defined()) {
    const Key behind = key_behind(chunk.at);
    for (const auto& [node, at] : path) set_key(*node, node->count, behind);
  }
  insert(path, depth, i, key, chunk.address);
}

void ChunkBTreeV1Edit::insert(Path& path, std::size_t depth, std::size_t i, const Key& key,
                              Address child) {
  if (path[depth].node->count < most_) return insert_entry(*path[depth].node, i, key, child);
  if (depth == 0) {
    grow_root(path);
    depth = 1;
    if (i == 0) set_key(*path[0].node, 0, key);
  }
  Node& node = *path[depth].node;
  // A program that appends chunks gets full nodes.
  const bool appends = i == node.count && !node.right.is_defined();
  const std::size_t kept = appends ? node.count : (node.count + 1) / 2;
  Node& next = split(node, kept);
  if (i > kept || appends)
    insert_entry(next, i - kept, key, child);
  else
    insert_entry(node, i, key, child);
  const Key first(this->key(next, 0).begin(), this->key(next, 0).end());
  set_key(node, node.count, first);
  insert(path, depth - 1, path[depth - 1].at + 1, first, next.address);
}

/// Moves the children after the first `kept` ones to a new right sibling, which gets the last key
/// of the node. The caller must then set the new last key of the node.
ChunkBTreeV1Edit::Node& ChunkBTreeV1Edit::split(Node& node, std::size_t kept) {
  Node& next = add_node(node.level);
  const auto middle = node.entries.begin() + static_cast<std::ptrdiff_t>(kept * stride_);
  next.entries.assign(middle, node.entries.end());
  next.count = node.count - kept;
  node.entries.resize(kept * stride_ + key_size_);
  node.count = kept;
  node.changed = true;
  next.left = node.address;
  next.right = node.right;
  if (node.right.is_defined()) {
    Node& right = load(node.right);
    right.left = next.address;
    right.changed = true;
  }
  node.right = next.address;
  return next;
}

/// The root keeps its place: its contents move to a new child.
void ChunkBTreeV1Edit::grow_root(Path& path) {
  Node& root = *path.front().node;
  if (root.level == 255) fail(root, "Node Level", "is 255, and the tree grows");
  Node& below = add_node(root.level);
  below.entries = root.entries;
  below.count = root.count;
  const std::span<const std::byte> last = std::span(below.entries).last(key_size_);
  root.entries.resize(stride_);
  root.entries.insert(root.entries.end(), last.begin(), last.end());
  root.count = 1;
  ++root.level;
  set_child(root, 0, below.address);
  path.front() = {&below, path.front().at};
  path.insert(path.begin(), {&root, 0});
}

void ChunkBTreeV1Edit::finish() {
  Node& root = load(root_);
  while (root.level != 0 && root.count == 1) {
    Node& only = load(child(root, 0));
    if (only.level + 1 != root.level)
      fail(only, "Node Level", "is not one below that of the parent");
    root.entries = only.entries;
    root.count = only.count;
    root.level = only.level;
    root.changed = true;
    give_back(only);
  }
  if (root.count == 0) return give_back(root);
  pieces_.push_back(&root);
  for (const Node* node : order_)
    if (node != &root && node->changed && !node->is_gone) pieces_.push_back(node);
}

// --- as pieces ----------------------------------------------------------------------------------
std::vector<Address> ChunkBTreeV1Edit::allocate(const Take& /*take*/) const {
  std::vector<Address> addresses;
  addresses.reserve(pieces_.size());
  for (const Node* node : pieces_) addresses.push_back(node->address);
  return addresses;
}

std::uint64_t ChunkBTreeV1Edit::touched(std::size_t piece) const {
  return pieces_[piece]->changed ? node_size_ : 0;
}

void ChunkBTreeV1Edit::encode(std::size_t piece, std::span<std::byte> out,
                              std::span<const Address> /*addresses*/,
                              const FileContext& file) const {
  const Node& node = *pieces_[piece];
  BTreeV1Node record;
  record.key_size = key_size_;
  record.type = BTreeV1NodeType::chunk;
  record.level = static_cast<std::uint8_t>(node.level);
  record.entries_used = static_cast<std::uint16_t>(node.count);
  record.left_sibling = node.left;
  record.right_sibling = node.right;
  record.keys_and_children = node.entries;
  ByteWriter writer(out);
  format::encode(writer, file, record);
  writer.zeros(writer.remaining());
}

}  // namespace onecast::structures
