#include "structures/chunk_btree_v1.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "onecast/base/error.hpp"

namespace onecast {

ChunkBTreeV1::ChunkBTreeV1(MetadataSource& source, Address btree, unsigned rank)
    : rank_(rank), tree_(source, btree, BTreeV1NodeType::chunk, BTreeV1ChunkKey::size(rank)) {
  if (rank == 0 || rank > BTreeV1ChunkKey::kMaxRank)
    throw Error(ErrorCode::format,
                fmt::format("{}: address {:#x}: {}: chunks of {} dimensions", source.file().name,
                            btree.value, BTreeV1Node::kTitle, rank));
}

ChunkEntry ChunkBTreeV1::chunk(ByteReader& key, Address child) const {
  BTreeV1ChunkKey decoded;
  decoded.rank = rank_;
  decode_into(key, decoded);
  ChunkEntry entry;
  std::copy_n(decoded.offset.begin(), rank_, entry.offset.begin());
  entry.size = decoded.chunk_size;
  entry.filter_mask = decoded.filter_mask;
  entry.address = child;
  return entry;
}

bool ChunkBTreeV1::starts_after(const BTreeV1::Node& node, unsigned index,
                                std::span<const std::uint64_t> offset) const {
  ByteReader key = tree_.key(node, index);
  key.seek(8, "Offset of the chunk within the dataset");
  for (const std::uint64_t wanted : offset) {
    const std::uint64_t start = key.uint(8, "Offset of the chunk within the dataset");
    if (start != wanted) return start > wanted;
  }
  return false;
}

std::optional<ChunkEntry> ChunkBTreeV1::find(std::span<const std::uint64_t> offset) const {
  if (offset.size() != rank_)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("chunk offset: {} values, the dataset has {} dimensions", offset.size(),
                            rank_));
  // "The chunk described by key[i] is the least chunk in child[i]": the last key not above it.
  const auto leaf = tree_.descend([&](const BTreeV1::Node& node) -> std::optional<unsigned> {
    unsigned low = 0;
    unsigned high = node.entries;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (starts_after(node, middle, offset))
        high = middle;
      else
        low = middle + 1;
    }
    if (low == 0) return std::nullopt;
    return low - 1;
  });
  if (!leaf) return std::nullopt;
  ByteReader key = tree_.key(leaf->first, leaf->second);
  const ChunkEntry entry = chunk(key, tree_.child(leaf->first, leaf->second));
  if (!std::equal(offset.begin(), offset.end(), entry.offset.begin())) return std::nullopt;
  return entry;
}

}  // namespace onecast
