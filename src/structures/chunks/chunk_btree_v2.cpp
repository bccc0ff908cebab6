#include "structures/chunks/chunk_btree_v2.hpp"

#include <vector>

#include "structures/chunks/chunk_order.hpp"
#include "structures/read_record.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

ChunkBTreeV2::ChunkBTreeV2(MetadataSource& source, const ChunkGrid& grid, Address header,
                           bool filtered)
    : source_(source),
      grid_(grid),
      tree_(source, header),
      form_(ChunkRecordForm::of(tree_, source, grid.rank, filtered)) {}

ChunkEntry ChunkBTreeV2::entry(ByteView record) const {
  return form_.decode(record, grid_.bytes, source_.file());
}

std::optional<ChunkEntry> ChunkBTreeV2::find(const ChunkCoordinates& at) const {
  const auto record = tree_.find([&](ByteView r) { return form_.compare(r, at, source_.file()); });
  if (!record) return std::nullopt;
  const ChunkEntry found = entry(*record);
  return found.address.is_defined() ? std::optional(found) : std::nullopt;
}

/// One walk over the nodes that may hold chunks of a box, or over all nodes.
class ChunkBTreeV2::Visit {
 public:
  Visit(const ChunkBTreeV2& index, const ChunkBox* box, const Each& each)
      : index_(index), box_(box), each_(each), order_(index.grid_.rank) {}

  void run() {
    if (auto root = index_.tree_.root()) enter(std::move(*root));
    // The path is never longer than the depth plus one. Children and records alternate.
    while (!path_.empty()) {
      Position& at = path_.back();
      if (at.child == at.record && at.child < at.node.children.size()) {
        const std::uint64_t i = at.child++;
        if (wanted(at.node, i)) enter(index_.tree_.child(at.node, i));
        continue;
      }
      if (at.record == index_.tree_.record_count(at.node)) {
        path_.pop_back();
        continue;
      }
      record(at.node, at.record++);
    }
  }

 private:
  struct Position {
    BTreeV2::Node node;
    std::uint64_t child;
    std::uint64_t record;
  };

  void enter(BTreeV2::Node node) {
    visited_.add(node.address, node.size, index_.source_.file(), "Version 2 B-tree Node");
    path_.push_back({std::move(node), 0, 0});
  }

  /// Child i lies between the records i - 1 and i.
  [[nodiscard]] bool wanted(const BTreeV2::Node& node, std::uint64_t i) const {
    if (box_ == nullptr) return true;
    const unsigned rank = index_.grid_.rank;
    ChunkCoordinates from = box_->first;
    if (i > 0) from = index_.entry(index_.tree_.record(node, i - 1)).at;
    if (i == index_.tree_.record_count(node)) return may_hold(*box_, from, nullptr, rank);
    const ChunkCoordinates to = index_.entry(index_.tree_.record(node, i)).at;
    return may_hold(*box_, from, &to, rank);
  }

  void record(const BTreeV2::Node& node, std::uint64_t i) {
    const ChunkEntry entry = index_.entry(index_.tree_.record(node, i));
    if (!order_.follows(entry.at))
      reader_at(index_.source_, node.address, "Version 2 B-tree Node")
          .fail("Dimension #n Scaled Offset", "does not ascend");
    if (!entry.address.is_defined()) return;
    if (box_ == nullptr || is_inside(*box_, entry.at, index_.grid_.rank)) each_(entry);
  }

  const ChunkBTreeV2& index_;
  const ChunkBox* box_;
  const Each& each_;
  AscendingChunks order_;
  std::vector<Position> path_;
  VisitedExtents visited_;
};

void ChunkBTreeV2::for_each(const Each& each) const { Visit(*this, nullptr, each).run(); }

void ChunkBTreeV2::for_each_in(const ChunkBox& box, const Each& each) const {
  Visit(*this, &box, each).run();
}

}  // namespace onecast::structures
