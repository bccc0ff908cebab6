#include "structures/chunk_btree_v1.hpp"

#include <vector>

#include "structures/chunk_order.hpp"
#include "structures/read_record.hpp"
#include "structures/visited_extents.hpp"

namespace onecast {

/// One walk over the nodes that may hold chunks of a box, or over all.
class ChunkBTreeV1::Visit {
 public:
  Visit(const ChunkBTreeV1& index, const ChunkBox* box, const Each& each)
      : index_(index), box_(box), each_(each), order_(index.grid_.rank) {}

  void run() {
    enter(index_.tree_.root());
    // The path is never longer than the root's level, a byte, and one.
    while (!path_.empty()) {
      Position& at = path_.back();
      if (at.next == at.node.entries) {
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
    path_.push_back({node, 0});
  }

  /// "The chunk described by key[i] is the least chunk in child[i]".
  [[nodiscard]] bool wanted(const BTreeV1::Node& node, unsigned i) const {
    if (box_ == nullptr) return true;
    const ChunkCoordinates from = start(node, i);
    if (i + 1 == node.entries) return may_hold(*box_, from, nullptr, index_.grid_.rank);
    const ChunkCoordinates to = start(node, i + 1);
    return may_hold(*box_, from, &to, index_.grid_.rank);
  }

  [[nodiscard]] ChunkCoordinates start(const BTreeV1::Node& node, unsigned i) const {
    ByteReader key = index_.tree_.key(node, i);
    key.seek(8, "Offset of the chunk within the dataset");
    ChunkCoordinates at;
    for (unsigned d = 0; d < index_.grid_.rank; ++d)
      at[d] = key.uint(8, "Offset of the chunk within the dataset") / index_.grid_.chunk[d];
    return at;
  }

  void leaf_entry(const BTreeV1::Node& node, unsigned i) {
    const ChunkGrid& grid = index_.grid_;
    ByteReader key = index_.tree_.key(node, i);
    const Address where = key.address();
    ChunkEntry entry;
    entry.size = key.uint(4, "Size of chunk in bytes");
    entry.filter_mask = static_cast<std::uint32_t>(key.uint(4, "Filter mask"));
    bool whole = true;
    for (unsigned d = 0; d < grid.rank; ++d) {
      const std::uint64_t offset = key.uint(8, "Offset of the chunk within the dataset");
      entry.at[d] = offset / grid.chunk[d];
      whole = whole && entry.at[d] * grid.chunk[d] == offset;
    }
    if (!order_.follows(entry.at) || !whole)
      reader_at(index_.source_, where, BTreeV1ChunkKey::kTitle)
          .fail("Offset of the chunk within the dataset",
                "does not ascend, or is no multiple of the chunk's size");
    if (box_ != nullptr && !is_inside(*box_, entry.at, grid.rank)) return;
    entry.address = index_.tree_.child(node, i);
    each_(entry);
  }

  const ChunkBTreeV1& index_;
  const ChunkBox* box_;
  const Each& each_;
  AscendingChunks order_;
  std::vector<Position> path_;
  VisitedExtents visited_;
};

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

}  // namespace onecast
