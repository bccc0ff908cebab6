#include "structures/chunks/chunk_btree_v2_edit.hpp"

#include "structures/read_record.hpp"

namespace onecast::structures {

ChunkBTreeV2Edit::ChunkBTreeV2Edit(MetadataSource& source, const ChunkGrid& grid, Address header,
                                   bool filtered, Take take, Nodes nodes)
    : ChunkBlocksEdit(source, std::move(take)),
      form_(ChunkRecordForm::of(BTreeV2(source, header), source, grid.rank, filtered)),
      tree_(blocks_, header, form_.type(), form_.record_size(source.file())),
      nodes_(nodes) {
  if (!tree_.is_changeable())
    reader_at(source, header, BTreeV2Header::kTitle)
        .refuse("Node Size", "changing a tree of such nodes where it lies");
}

BTreeV2Edit::Compare ChunkBTreeV2Edit::is(const ChunkCoordinates& at) const {
  return [this, &at](ByteView record) {
    const std::strong_ordering order = form_.compare(record, at, blocks_.file());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  };
}

void ChunkBTreeV2Edit::set(const ChunkEntry& chunk) {
  const std::vector<std::byte> record = form_.encoded(chunk, blocks_.file());
  if (!tree_.replace(record, is(chunk.at))) tree_.insert(record, is(chunk.at));
}

void ChunkBTreeV2Edit::finish() {
  if (tree_.record_count() == 0) return tree_.release();
  if (nodes_ == Nodes::move) tree_.move_changed();
  tree_.finish();
  finish_blocks(tree_.address());
}

}  // namespace onecast::structures
