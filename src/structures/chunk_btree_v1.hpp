#pragma once

#include "structures/btree_v1.hpp"
#include "structures/chunk_index.hpp"

namespace onecast {

/// "Chunked Raw Data Node" version 1 B-trees: the index of layout messages before version 4.
class ChunkBTreeV1 final : public ChunkIndex {
 public:
  ChunkBTreeV1(MetadataSource& source, const ChunkGrid& grid, Address btree)
      : source_(source),
        grid_(grid),
        tree_(source, btree, BTreeV1NodeType::chunk, BTreeV1ChunkKey::size(grid.rank)) {}

  void for_each(const Each& each) const override;
  void for_each_in(const ChunkBox& box, const Each& each) const override;
  /// Where all nodes are.
  [[nodiscard]] std::vector<Address> nodes() const;

 private:
  class Visit;

  MetadataSource& source_;
  ChunkGrid grid_;
  BTreeV1 tree_;
};

}  // namespace onecast
