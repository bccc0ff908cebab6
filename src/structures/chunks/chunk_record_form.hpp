#pragma once

#include <compare>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/btree_v2.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::structures {

/// The form in which the version 2 B-tree of a dataset's chunks stores a chunk: a record of type
/// 10, or 11 for filtered chunks.
struct ChunkRecordForm {
  /// The form of the records of this tree. Throws Error (format) if it has no such records.
  static ChunkRecordForm of(const BTreeV2& tree, MetadataSource& source, unsigned rank,
                            bool filtered);

  unsigned rank = 0;
  std::uint8_t size_size = 0;  ///< bytes of the field "Chunk Size"; 0: the chunks are not filtered

  [[nodiscard]] BTreeV2Type type() const;
  [[nodiscard]] std::uint16_t record_size(const FileContext& file) const;
  void encode(const ChunkEntry& entry, std::span<std::byte> out, const FileContext& file) const;
  [[nodiscard]] std::vector<std::byte> encoded(const ChunkEntry& entry,
                                               const FileContext& file) const;
  /// `chunk_bytes` is the size of a chunk that is not filtered.
  [[nodiscard]] ChunkEntry decode(ByteView record, std::uint64_t chunk_bytes,
                                  const FileContext& file) const;
  /// Compares the record's chunk with `at`, in the order of the tree.
  [[nodiscard]] std::strong_ordering compare(ByteView record, const ChunkCoordinates& at,
                                             const FileContext& file) const;
};

}  // namespace onecast::structures
