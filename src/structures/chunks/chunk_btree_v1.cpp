#include "structures/chunks/chunk_btree_v1.hpp"

#include <vector>

#include "structures/chunks/chunk_order.hpp"
#include "structures/read_record.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// One walk over the nodes that may hold chunks of a box, or over all nodes.
class ChunkBTreeV1::Visit {
 public:
  Visit(const ChunkBTreeV1& index, const ChunkBox* box, const Each& each)
      : index_(index), box_(box), each_(each), order_(index.grid_.rank) {}

  void run() {
    enter(index_.tree_.root());
    // The path is never longer than the level of the root (one byte) plus one.
    while (!path_.empty()) {
      Position& at = path_.back();
      if (at.next == at.node.entries || is_behind_box(at.node, at.next)) {
        index_.require_ascending(at.node, at.next + 1);
        path_.pop_back();
        continue;
      }
      const unsigned i = at.next++;
      if (at.node.level == 0)
        leaf_entry(at.node, i);
      else if (wanted(at.node, i))
        enter(index_.tree_.child_node(at.node, i));
    }
  }

 private:
  struct Position {
    BTreeV1::Node node;
    unsigned next;
  };

  void enter(const BTreeV1::Node& node) {
    visited_.add(node.address, node.size, index_.source_.file(), BTreeV1Node::kTitle);
    const unsigned before = box_ == nullptr ? 0 : index_.not_behind(node, box_->first);
    const unsigned first = before == 0 ? 0 : before - 1;
    if (first < node.entries) index_.require_ascending(node, first);
    path_.push_back({node, first});
  }

  [[nodiscard]] bool is_behind_box(const BTreeV1::Node& node, unsigned i) const {
    return box_ != nullptr &&
           compare_chunks(index_.first_chunk(node, i), box_->last, index_.grid_.rank) > 0;
  }

  /// "The chunk described by key[i] is the least chunk in child[i]".
  [[nodiscard]] bool wanted(const BTreeV1::Node& node, unsigned i) const {
    if (box_ == nullptr) return true;
    const ChunkCoordinates from = index_.first_chunk(node, i);
    if (i + 1 == node.entries) return may_hold(*box_, from, nullptr, index_.grid_.rank);
    index_.require_ascending(node, i + 1);
    const ChunkCoordinates to = index_.first_chunk(node, i + 1);
    return may_hold(*box_, from, &to, index_.grid_.rank);
  }

  void leaf_entry(const BTreeV1::Node& node, unsigned i) {
    const ChunkEntry entry = index_.entry(node, i);
    if (!order_.follows(entry.at)) index_.fail_offset(node, i);
    if (box_ == nullptr || is_inside(*box_, entry.at, index_.grid_.rank)) each_(entry);
  }

  const ChunkBTreeV1& index_;
  const ChunkBox* box_;
  const Each& each_;
  AscendingChunks order_;
  std::vector<Position> path_;
  VisitedExtents visited_;
};

ChunkCoordinates ChunkBTreeV1::first_chunk(const BTreeV1::Node& node, unsigned i) const {
  ByteReader key = tree_.key(node, i);
  key.seek(8, "Offset of the chunk within the dataset");
  ChunkCoordinates at;
  for (unsigned d = 0; d < grid_.rank; ++d)
    at[d] = key.uint(8, "Offset of the chunk within the dataset") / grid_.chunk[d];
  return at;
}

unsigned ChunkBTreeV1::not_behind(const BTreeV1::Node& node, const ChunkCoordinates& at) const {
  unsigned low = 0;
  for (unsigned high = node.entries; low < high;) {
    const unsigned middle = (low + high) / 2;
    if (compare_chunks(first_chunk(node, middle), at, grid_.rank) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void ChunkBTreeV1::fail_offset(const BTreeV1::Node& leaf, unsigned i) const {
  reader_at(source_, tree_.key(leaf, i).address(), BTreeV1ChunkKey::kTitle)
      .fail("Offset of the chunk within the dataset",
            "does not ascend, or is not a multiple of the chunk's size");
}

/// If keys did not ascend, a search could miss an existing chunk. A wrong key leads a search no
/// further than to that key, so a search checks the key of its last step and the next one.
void ChunkBTreeV1::require_ascending(const BTreeV1::Node& node, unsigned i) const {
  if (i == 0 || i >= node.entries) return;
  if (compare_chunks(first_chunk(node, i - 1), first_chunk(node, i), grid_.rank) >= 0)
    fail_offset(node, i);
}

ChunkEntry ChunkBTreeV1::entry(const BTreeV1::Node& leaf, unsigned i) const {
  ByteReader key = tree_.key(leaf, i);
  ChunkEntry entry;
  entry.size = key.uint(4, "Size of chunk in bytes");
  entry.filter_mask = static_cast<std::uint32_t>(key.uint(4, "Filter mask"));
  for (unsigned d = 0; d < grid_.rank; ++d) {
    const std::uint64_t offset = key.uint(8, "Offset of the chunk within the dataset");
    entry.at[d] = offset / grid_.chunk[d];
    if (entry.at[d] * grid_.chunk[d] != offset) fail_offset(leaf, i);
  }
  entry.address = tree_.child(leaf, i);
  return entry;
}

std::optional<ChunkEntry> ChunkBTreeV1::find(const ChunkCoordinates& at) const {
  const auto found = tree_.descend([&](const BTreeV1::Node& node) -> std::optional<unsigned> {
    const unsigned before = not_behind(node, at);
    require_ascending(node, before + 1);
    if (before == 0) return std::nullopt;
    require_ascending(node, before - 1);
    return before - 1;
  });
  if (!found) return std::nullopt;
  const ChunkEntry known = entry(found->first, found->second);
  if (compare_chunks(known.at, at, grid_.rank) != 0) return std::nullopt;
  return known;
}

void ChunkBTreeV1::for_each(const Each& each) const { Visit(*this, nullptr, each).run(); }

std::vector<Address> ChunkBTreeV1::nodes() const {
  std::vector<Address> found;
  std::vector<BTreeV1::Node> left{tree_.root()};
  VisitedExtents visited;
  while (!left.empty()) {
    const BTreeV1::Node node = left.back();
    left.pop_back();
    visited.add(node.address, node.size, source_.file(), BTreeV1Node::kTitle);
    found.push_back(node.address);
    for (unsigned i = 0; node.level != 0 && i < node.entries; ++i)
      left.push_back(tree_.child_node(node, i));
  }
  return found;
}

void ChunkBTreeV1::for_each_in(const ChunkBox& box, const Each& each) const {
  Visit(*this, &box, each).run();
}

}  // namespace onecast::structures
