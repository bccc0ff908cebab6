#pragma once

#include "base/namespaces.hpp"
#include "structures/btree_v2.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/chunks/chunk_record_form.hpp"

namespace onecast::structures {

/// Version 2 B-trees of types 10 and 11: the index of chunks with several unlimited dimensions.
class ChunkBTreeV2 final : public ChunkIndex {
 public:
  /// Reads the header.
  ChunkBTreeV2(MetadataSource& source, const ChunkGrid& grid, Address header, bool filtered);

  void for_each(const Each& each) const override;
  void for_each_in(const ChunkBox& box, const Each& each) const override;
  [[nodiscard]] std::optional<ChunkEntry> find(const ChunkCoordinates& at) const override;

 private:
  class Visit;
  [[nodiscard]] ChunkEntry entry(ByteView record) const;

  MetadataSource& source_;
  ChunkGrid grid_;
  BTreeV2 tree_;
  ChunkRecordForm form_;
};

}  // namespace onecast::structures
