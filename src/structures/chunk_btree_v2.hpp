#pragma once

#include "structures/btree_v2.hpp"
#include "structures/chunk_index.hpp"

namespace onecast {

/// Version 2 B-trees of types 10 and 11: the index of chunks with several unlimited dimensions.
class ChunkBTreeV2 final : public ChunkIndex {
 public:
  /// Reads the header.
  ChunkBTreeV2(MetadataSource& source, const ChunkGrid& grid, Address header, bool filtered);

  void for_each(const Each& each) const override;
  void for_each_in(const ChunkBox& box, const Each& each) const override;

 private:
  class Visit;
  [[nodiscard]] ChunkEntry entry(ByteView record) const;

  MetadataSource& source_;
  ChunkGrid grid_;
  bool filtered_;
  std::uint8_t chunk_size_size_ = 0;
  BTreeV2 tree_;
};

}  // namespace onecast
