#include "structures/btree_v2_edit.hpp"

#include <algorithm>

#include "onecast/base/error.hpp"
#include "structures/read_record.hpp"

namespace onecast::structures {
namespace {

BTreeV2Header new_header(BTreeV2Type type, std::uint16_t record_size) {
  BTreeV2Header header;
  header.type = type;
  header.record_size = record_size;
  return header;
}

}  // namespace

BTreeV2Edit::BTreeV2Edit(BlockEdits& blocks, Address header, BTreeV2Type type,
                         std::uint16_t record_size)
    : blocks_(blocks),
      address_(header),
      shape_(0, 0, 0),
      stored_(std::in_place, blocks.stored(), header, type, record_size) {
  header_ = stored_->header();
  shape_ = BTreeV2Shape(header_.node_size, record_size, blocks.file().size_of_offsets);
  static_cast<void>(shape_.reach(header_.depth));
}

BTreeV2Edit::BTreeV2Edit(BlockEdits& blocks, BTreeV2Type type, std::uint16_t record_size)
    : blocks_(blocks),
      address_(blocks.add(BTreeV2Header::size(blocks.file()))),
      header_(new_header(type, record_size)),
      shape_(header_.node_size, record_size, blocks.file().size_of_offsets),
      changed_(true) {
  static_cast<void>(shape_.reach(0));
}

BTreeV2Edit::Limits BTreeV2Edit::limits(const BTreeV2Shape::Level& level) const {
  const std::uint64_t all = level.max_records;
  return {static_cast<std::size_t>(all * std::min<unsigned>(header_.split_percent, 100) / 100),
          static_cast<std::size_t>(std::max<std::uint64_t>(all * header_.merge_percent / 100, 1))};
}

bool BTreeV2Edit::is_changeable() const {
  // The tree may grow by one level.
  BTreeV2Shape shape = shape_;
  if (!shape.reach(header_.depth + 1U)) return false;
  for (unsigned level = 0; level <= header_.depth + 1U; ++level) {
    const auto [most, least] = limits(shape.level(level));
    if (most < 2 * least) return false;
  }
  return true;
}

ByteView BTreeV2Edit::record(const Node& node, std::size_t index) const {
  return ByteView(node.records).subspan(index * header_.record_size, header_.record_size);
}

void BTreeV2Edit::put(Node& node, std::size_t index, ByteView record) const {
  node.records.insert(
      node.records.begin() + static_cast<std::ptrdiff_t>(index * header_.record_size),
      record.begin(), record.end());
}

void BTreeV2Edit::take_out(Node& node, std::size_t index) const {
  const auto at = node.records.begin() + static_cast<std::ptrdiff_t>(index * header_.record_size);
  node.records.erase(at, at + header_.record_size);
}

BTreeV2Edit::Node& BTreeV2Edit::load(Address address, unsigned level, std::uint64_t record_count) {
  const auto known = nodes_.find(address);
  if (known != nodes_.end()) {
    if (known->second.level != level || count(known->second) != record_count)
      reader_at(blocks_, address, "Version 2 B-tree Node").fail("Address", "is used twice");
    return known->second;
  }
  BTreeV2::Node found = stored_->load(address, level, record_count);
  Node& node = nodes_[address];
  node.address = address;
  node.level = level;
  node.records.assign(found.records.begin(), found.records.end());
  node.children = std::move(found.children);
  if (level == 1)
    for (BTreeV2ChildPointer& pointer : node.children)
      pointer.total_record_count = pointer.record_count;
  return node;
}

BTreeV2Edit::Node& BTreeV2Edit::child(const Node& parent, std::size_t index) {
  const BTreeV2ChildPointer& pointer = parent.children[index];
  return load(pointer.node, parent.level - 1, pointer.record_count);
}

BTreeV2Edit::Node& BTreeV2Edit::add_node(unsigned level) {
  const Address address = blocks_.add(header_.node_size);
  Node& node = nodes_[address];
  node = {address, level, {}, {}, true, true};
  return node;
}

void BTreeV2Edit::drop(Node& node) {
  blocks_.release(node.address, header_.node_size);
  nodes_.erase(node.address);
}

std::uint64_t BTreeV2Edit::total(const Node& node) const {
  std::uint64_t sum = count(node);
  for (const BTreeV2ChildPointer& pointer : node.children) sum += pointer.total_record_count;
  return sum;
}

bool BTreeV2Edit::find_way(const Compare& compare, Way& way) {
  if (root_ == nullptr && header_.root_node.is_defined())
    root_ = &load(header_.root_node, header_.depth, header_.root_record_count);
  for (Node* node = root_; node != nullptr;) {
    std::size_t low = 0;
    for (std::size_t high = count(*node); low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      const int order = compare(record(*node, middle));
      if (order == 0) {
        way.push_back({node, middle});
        return true;
      }
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    way.push_back({node, low});
    node = node->level == 0 ? nullptr : &child(*node, low);
  }
  return false;
}

std::optional<ByteView> BTreeV2Edit::find(const Compare& compare) {
  Way way;
  if (!find_way(compare, way)) return std::nullopt;
  return record(*way.back().node, way.back().index);
}

bool BTreeV2Edit::replace(ByteView with, const Compare& compare) {
  Way way;
  if (!find_way(compare, way)) return false;
  const auto [node, index] = way.back();
  std::copy(with.begin(), with.end(),
            node->records.begin() + static_cast<std::ptrdiff_t>(index * header_.record_size));
  node->changed = true;
  return true;
}

void BTreeV2Edit::count_on_way(const Way& way) {
  for (std::size_t i = way.size(); i-- > 0;) {
    way[i].node->changed = true;
    if (i == 0) break;
    const auto& [parent, index] = way[i - 1];
    parent->children[index].record_count = count(*way[i].node);
    parent->children[index].total_record_count = total(*way[i].node);
  }
  changed_ = true;
}

void BTreeV2Edit::insert(ByteView record, const Compare& compare) {
  Way way;
  if (find_way(compare, way))
    reader_at(blocks_, address_, BTreeV2Header::kTitle)
        .fail("Records", "have one that is to be added");
  if (way.empty()) {
    root_ = &add_node(0);
    way.push_back({root_, 0});
  }
  put(*way.back().node, way.back().index, record);
  ++header_.total_record_count;
  count_on_way(way);
  mend_overflow(way);
}

void BTreeV2Edit::mend_overflow(Way& way) {
  for (;;) {
    Node& node = *way.back().node;
    const std::size_t most = limits(shape_.level(node.level)).most;
    if (count(node) <= most) return;
    if (way.size() == 1) {
      if (!shape_.reach(node.level + 1U))
        reader_at(blocks_, address_, BTreeV2Header::kTitle).refuse("Depth", "a deeper tree");
      root_ = &add_node(node.level + 1U);
      root_->children.push_back({node.address, count(node), total(node)});
      return split(*root_, 0);
    }
    const auto [parent, index] = way[way.size() - 2];
    // A neighbour that is nearly full would soon be split itself.
    const auto has_room = [&](std::size_t i) {
      return parent->children[i].record_count <= most / 4 * 3;
    };
    if (index > 0 && has_room(index - 1)) return share(*parent, index - 1);
    if (index + 1 < parent->children.size() && has_room(index + 1)) return share(*parent, index);
    split(*parent, index);
    way.pop_back();
    count_on_way(way);
  }
}

bool BTreeV2Edit::remove(const Compare& compare) {
  Way way;
  if (!find_way(compare, way)) return false;
  if (Node& node = *way.back().node; node.level != 0) {
    // The last record before it replaces it.
    const std::size_t index = way.back().index;
    for (Node* below = &child(node, index);; below = &child(*below, below->children.size() - 1)) {
      way.push_back({below, below->level == 0 ? count(*below) - 1 : below->children.size() - 1});
      if (below->level == 0) break;
    }
    const Node& leaf = *way.back().node;
    if (count(leaf) == 0)
      reader_at(blocks_, leaf.address, BTreeV2LeafNode::kTitle).fail("Records", "are none");
    const ByteView last = record(leaf, way.back().index);
    std::copy(last.begin(), last.end(),
              node.records.begin() + static_cast<std::ptrdiff_t>(index * header_.record_size));
  }
  take_out(*way.back().node, way.back().index);
  --header_.total_record_count;
  count_on_way(way);
  mend_underflow(way);
  return true;
}

void BTreeV2Edit::mend_underflow(Way& way) {
  while (way.size() > 1) {
    const Node& node = *way.back().node;
    const std::size_t least = limits(shape_.level(node.level)).least;
    if (count(node) >= least) return;
    const auto [parent, index] = way[way.size() - 2];
    const std::size_t left = index > 0 ? index - 1 : 0;
    if (left + 1 >= parent->children.size()) return;
    const Node& a = child(*parent, left);
    const Node& b = child(*parent, left + 1);
    if (count(a) + count(b) >= 2 * least) return share(*parent, left);
    merge(*parent, left);
    way.pop_back();
    count_on_way(way);
  }
  if (count(*root_) != 0) return;
  Node& empty = *root_;
  root_ = empty.level == 0 ? nullptr : &child(empty, 0);
  header_.root_node = Address();  // the field still has the root of the stored tree
  drop(empty);
}

void BTreeV2Edit::deal(Node& parent, std::size_t left_index, Node& left, Node& right,
                       const std::vector<std::byte>& records,
                       const std::vector<BTreeV2ChildPointer>& children) {
  const std::size_t size = header_.record_size;
  const std::size_t of_left = (records.size() / size - 1) / 2;
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(of_left * size);
  const auto behind = middle + static_cast<std::ptrdiff_t>(size);
  left.records.assign(records.begin(), middle);
  std::copy(middle, behind,
            parent.records.begin() + static_cast<std::ptrdiff_t>(left_index * size));
  right.records.assign(behind, records.end());
  if (!children.empty()) {
    const auto first_of_right = children.begin() + static_cast<std::ptrdiff_t>(of_left + 1);
    left.children.assign(children.begin(), first_of_right);
    right.children.assign(first_of_right, children.end());
  }
  for (const auto& [index, node] : {std::pair(left_index, &left), {left_index + 1, &right}}) {
    parent.children[index] = {node->address, count(*node), total(*node)};
    node->changed = true;
  }
  parent.changed = true;
}

void BTreeV2Edit::share(Node& parent, std::size_t left_index) {
  Node& left = child(parent, left_index);
  Node& right = child(parent, left_index + 1);
  std::vector<std::byte> records = left.records;
  const ByteView between = record(parent, left_index);
  records.insert(records.end(), between.begin(), between.end());
  records.insert(records.end(), right.records.begin(), right.records.end());
  std::vector<BTreeV2ChildPointer> children = left.children;
  children.insert(children.end(), right.children.begin(), right.children.end());
  deal(parent, left_index, left, right, records, children);
}

void BTreeV2Edit::split(Node& parent, std::size_t index) {
  Node& left = child(parent, index);
  Node& right = add_node(left.level);
  const std::vector<std::byte> records = left.records;
  put(parent, index, ByteView(records).first(header_.record_size));
  parent.children.insert(parent.children.begin() + static_cast<std::ptrdiff_t>(index + 1),
                         BTreeV2ChildPointer());
  deal(parent, index, left, right, records, std::vector(left.children));
}

void BTreeV2Edit::merge(Node& parent, std::size_t left_index) {
  Node& left = child(parent, left_index);
  Node& right = child(parent, left_index + 1);
  const ByteView between = record(parent, left_index);
  left.records.insert(left.records.end(), between.begin(), between.end());
  left.records.insert(left.records.end(), right.records.begin(), right.records.end());
  left.children.insert(left.children.end(), right.children.begin(), right.children.end());
  left.changed = parent.changed = true;
  take_out(parent, left_index);
  parent.children.erase(parent.children.begin() + static_cast<std::ptrdiff_t>(left_index + 1));
  parent.children[left_index] = {left.address, count(left), total(left)};
  drop(right);
}

void BTreeV2Edit::move_changed() {
  if (root_ == nullptr) return;
  const Address before = header_.root_node;
  changed_ = moved(*root_) != before || changed_;
}

/// Returns the place of the node, which is another if it or a node below it changes. The depth of a
/// tree is limited (BTreeV2Shape::reach).
Address BTreeV2Edit::moved(Node& node) {
  for (BTreeV2ChildPointer& pointer : node.children)
    if (const auto below = nodes_.find(pointer.node); below != nodes_.end())
      if (const Address now = moved(below->second); now != pointer.node) {
        pointer.node = now;
        node.changed = true;
      }
  if (node.changed && !node.is_new) {
    blocks_.release(node.address, header_.node_size);
    node.address = blocks_.add(header_.node_size);
    node.is_new = true;
  }
  return node.address;
}

void BTreeV2Edit::finish() {
  for (auto& [address, node] : nodes_) {
    if (!node.changed) continue;
    encode(node);
    node.changed = false;
  }
  if (changed_) encode_header();
  changed_ = false;
}

void BTreeV2Edit::release() { blocks_.release(address_, BTreeV2Header::size(blocks_.file())); }

void BTreeV2Edit::encode(const Node& node) {
  const std::span<std::byte> out =
      blocks_.change(node.address, header_.node_size, "Version 2 B-tree Node");
  ByteWriter writer(out);
  if (node.level == 0) {
    BTreeV2LeafNode leaf;
    leaf.type = header_.type;
    leaf.records = node.records;
    format::encode(writer, blocks_.file(), leaf);
  } else {
    const BTreeV2Shape::Level& level = shape_.level(node.level);
    BTreeV2InternalNode internal;
    internal.type = header_.type;
    internal.record_count_size = level.record_count_size;
    internal.total_record_count_size = level.total_count_size;
    internal.records = node.records;
    internal.children = node.children;
    format::encode(writer, blocks_.file(), internal);
  }
  writer.zeros(writer.remaining());
}

void BTreeV2Edit::encode_header() {
  header_.depth = root_ == nullptr ? std::uint16_t{0} : static_cast<std::uint16_t>(root_->level);
  header_.root_node = root_ == nullptr ? Address() : root_->address;
  header_.root_record_count =
      root_ == nullptr ? std::uint16_t{0} : static_cast<std::uint16_t>(count(*root_));
  ByteWriter out(
      blocks_.change(address_, BTreeV2Header::size(blocks_.file()), BTreeV2Header::kTitle));
  format::encode(out, blocks_.file(), header_);
}

}  // namespace onecast::structures
