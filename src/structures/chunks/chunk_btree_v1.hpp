#pragma once

#include "base/namespaces.hpp"
#include "structures/btree_v1.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::structures {

/// "Chunked Raw Data Node" version 1 B-trees: the index of layout messages before version 4.
class ChunkBTreeV1 final : public ChunkIndex {
 public:
  ChunkBTreeV1(MetadataSource& source, const ChunkGrid& grid, Address btree)
      : source_(source),
        grid_(grid),
        tree_(source, btree, BTreeV1NodeType::chunk, BTreeV1ChunkKey::size(grid.rank)) {}

  void for_each(const Each& each) const override;
  void for_each_in(const ChunkBox& box, const Each& each) const override;
  /// Reads a few keys of one node in each level.
  [[nodiscard]] std::optional<ChunkEntry> find(const ChunkCoordinates& at) const override;
  /// The addresses of all nodes.
  [[nodiscard]] std::vector<Address> nodes() const;

 private:
  class Visit;

  /// The first chunk below child `i`.
  [[nodiscard]] ChunkCoordinates first_chunk(const BTreeV1::Node& node, unsigned i) const;
  /// The number of children that begin with this chunk or an earlier one.
  [[nodiscard]] unsigned not_behind(const BTreeV1::Node& node, const ChunkCoordinates& at) const;
  [[nodiscard]] ChunkEntry entry(const BTreeV1::Node& leaf, unsigned i) const;
  void require_ascending(const BTreeV1::Node& node, unsigned i) const;
  [[noreturn]] void fail_offset(const BTreeV1::Node& leaf, unsigned i) const;

  MetadataSource& source_;
  ChunkGrid grid_;
  BTreeV1 tree_;
};

}  // namespace onecast::structures
