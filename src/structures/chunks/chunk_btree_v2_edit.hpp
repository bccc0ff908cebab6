#pragma once

#include "base/namespaces.hpp"
#include "structures/btree_v2_edit.hpp"
#include "structures/chunks/chunk_index_edit.hpp"
#include "structures/chunks/chunk_record_form.hpp"

namespace onecast::structures {

/// Changes a stored version 2 B-tree of chunks in place.
class ChunkBTreeV2Edit final : public ChunkBlocksEdit {
 public:
  /// `take` allocates a new node. Throws Error (unsupported) if nodes of this tree cannot be split
  /// and merged.
  ChunkBTreeV2Edit(MetadataSource& source, const ChunkGrid& grid, Address header, bool filtered,
                   Take take);

  void remove(const ChunkCoordinates& at) override { tree_.remove(is(at)); }
  void set(const ChunkEntry& chunk) override;
  void finish() override;

 private:
  [[nodiscard]] BTreeV2Edit::Compare is(const ChunkCoordinates& at) const;

  ChunkRecordForm form_;
  BTreeV2Edit tree_;
};

}  // namespace onecast::structures
