#pragma once

#include "base/namespaces.hpp"
#include "structures/btree_v2_edit.hpp"
#include "structures/chunks/chunk_index_edit.hpp"
#include "structures/chunks/chunk_record_form.hpp"

namespace onecast::structures {

/// Changes a stored version 2 B-tree of chunks in place.
class ChunkBTreeV2Edit final : public ChunkBlocksEdit {
 public:
  enum class Nodes : bool {
    change,  ///< changed nodes stay where they are
    move,    ///< changed nodes get a new place: readers who look meanwhile still need the old ones
  };
  /// `take` allocates a new node. Throws Error (unsupported) if nodes of this tree cannot be split
  /// and merged.
  ChunkBTreeV2Edit(MetadataSource& source, const ChunkGrid& grid, Address header, bool filtered,
                   Take take, Nodes nodes = Nodes::change);

  void remove(const ChunkCoordinates& at) override { tree_.remove(is(at)); }
  void set(const ChunkEntry& chunk) override;
  void finish() override;

 private:
  [[nodiscard]] BTreeV2Edit::Compare is(const ChunkCoordinates& at) const;

  ChunkRecordForm form_;
  BTreeV2Edit tree_;
  Nodes nodes_;
};

}  // namespace onecast::structures
