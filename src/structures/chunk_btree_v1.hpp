#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "structures/btree_v1.hpp"
#include "structures/metadata_source.hpp"

namespace onecast {

/// A chunk as the index has it.
struct ChunkEntry {
  std::array<std::uint64_t, BTreeV1ChunkKey::kMaxRank>
      offset;              ///< in elements; first `rank` are set
  std::uint32_t size = 0;  ///< bytes in the file
  std::uint32_t filter_mask = 0;
  Address address;
};

/// Reads the version 1 B-tree that indexes the chunks of a dataset of `rank` dimensions.
class ChunkBTreeV1 {
 public:
  ChunkBTreeV1(MetadataSource& source, Address btree, unsigned rank);

  /// Calls `each(const ChunkEntry&)` by offset, ascending, slowest dimension first.
  template <class F>
  void for_each(F&& each) const {
    BTreeV1::Walk walk(tree_);
    while (auto entry = walk.next()) each(chunk(entry->key, entry->child));
  }

  /// The chunk that starts at these element offsets.
  [[nodiscard]] std::optional<ChunkEntry> find(std::span<const std::uint64_t> offset) const;

 private:
  [[nodiscard]] ChunkEntry chunk(ByteReader& key, Address child) const;
  [[nodiscard]] bool starts_after(const BTreeV1::Node& node, unsigned index,
                                  std::span<const std::uint64_t> offset) const;

  unsigned rank_;
  BTreeV1 tree_;
};

template <class F>
void for_each_chunk(MetadataSource& source, Address btree, unsigned rank, F&& each) {
  ChunkBTreeV1(source, btree, rank).for_each(each);
}

inline std::optional<ChunkEntry> find_chunk(MetadataSource& source, Address btree, unsigned rank,
                                            std::span<const std::uint64_t> offset) {
  return ChunkBTreeV1(source, btree, rank).find(offset);
}

}  // namespace onecast
