#include "structures/chunks/chunk_btree_v1_pieces.hpp"

#include <algorithm>

#include "format/infra/btree_v1.hpp"

namespace onecast::structures {
namespace {

/// Splits `total` into as few parts as possible of at most `most`, spread evenly. Calls each(first,
/// count).
template <class F>
void spread(std::uint64_t total, std::uint64_t most, F&& each) {
  const std::uint64_t parts = (total - 1) / most + 1;
  std::uint64_t first = 0;
  for (std::uint64_t i = 0; i < parts; ++i) {
    const std::uint64_t count = total / parts + (i < total % parts ? 1 : 0);
    each(first, count);
    first += count;
  }
}

}  // namespace

std::uint64_t ChunkBTreeV1Pieces::node_size(unsigned rank, unsigned node_k,
                                            const FileContext& file) {
  const auto most = static_cast<std::uint16_t>(2 * node_k);
  return BTreeV1Node::prefix_size(file) +
         BTreeV1Node::entries_size(file, BTreeV1ChunkKey::size(rank), most);
}

ChunkBTreeV1Pieces::ChunkBTreeV1Pieces(const ChunkGrid& grid, std::uint64_t element_size,
                                       std::uint64_t count, unsigned node_k,
                                       const FileContext& file, Chunk chunk)
    : grid_(grid),
      element_size_(element_size),
      chunks_(count),
      node_size_(node_size(grid.rank, node_k, file)),
      chunk_(std::move(chunk)) {
  // Levels are built from the leaves up and then reversed, so that the root comes first.
  const std::uint64_t most = 2 * std::uint64_t{node_k};
  std::vector<std::vector<Node>> levels;
  do {
    const std::vector<Node>* below = levels.empty() ? nullptr : &levels.back();
    const std::uint64_t children = below == nullptr ? chunks_ : below->size();
    const auto level = static_cast<unsigned>(levels.size());
    std::vector<Node> nodes;
    spread(children, most, [&](std::uint64_t first, std::uint64_t n) {
      const std::uint64_t least =
          below == nullptr ? first : (*below)[static_cast<std::size_t>(first)].first_chunk;
      nodes.push_back({level, first, n, least, first == 0, first + n == children});
    });
    levels.push_back(std::move(nodes));
  } while (levels.back().size() > 1);
  for (std::size_t l = levels.size(); l-- > 0;) {
    const std::size_t below = nodes_.size() + levels[l].size();
    for (Node node : levels[l]) {
      if (l != 0) node.first += below;
      nodes_.push_back(node);
    }
  }
}

std::uint64_t ChunkBTreeV1Pieces::first_chunk_of(const Node& node, std::uint64_t child) const {
  return node.level == 0 ? node.first + child
                         : nodes_[static_cast<std::size_t>(node.first + child)].first_chunk;
}

void ChunkBTreeV1Pieces::write_key(ByteWriter& out, const FileContext& file,
                                   std::uint64_t chunk) const {
  const ChunkEntry entry = chunk_(chunk);
  BTreeV1ChunkKey key;
  key.rank = grid_.rank;
  key.chunk_size = static_cast<std::uint32_t>(entry.size);
  key.filter_mask = entry.filter_mask;
  for (unsigned d = 0; d < grid_.rank; ++d) key.offset[d] = entry.at[d] * grid_.chunk[d];
  format::encode(out, file, key);
}

/// Writes a key after every existing chunk: one chunk further in each dimension than the last.
void ChunkBTreeV1Pieces::write_last_key(ByteWriter& out, const FileContext& file) const {
  const ChunkEntry last = chunk_(chunks_ - 1);
  BTreeV1ChunkKey key;
  key.rank = grid_.rank;
  for (unsigned d = 0; d < grid_.rank; ++d) key.offset[d] = (last.at[d] + 1) * grid_.chunk[d];
  key.element_offset = element_size_;
  format::encode(out, file, key);
}

void ChunkBTreeV1Pieces::encode(std::size_t piece, std::span<std::byte> out,
                                std::span<const Address> addresses, const FileContext& file) const {
  const Node& node = nodes_[piece];
  const std::size_t key_size = BTreeV1ChunkKey::size(grid_.rank);
  BTreeV1Node record;
  record.key_size = key_size;
  record.type = BTreeV1NodeType::chunk;
  record.level = static_cast<std::uint8_t>(node.level);
  record.entries_used = static_cast<std::uint16_t>(node.count);
  if (!node.leftmost) record.left_sibling = addresses[piece - 1];
  if (!node.rightmost) record.right_sibling = addresses[piece + 1];
  std::vector<std::byte> entries(
      static_cast<std::size_t>(BTreeV1Node::entries_size(file, key_size, record.entries_used)));
  ByteWriter writer(entries);
  for (std::uint64_t i = 0; i < node.count; ++i) {
    const std::uint64_t first = first_chunk_of(node, i);
    write_key(writer, file, first);
    const Address child = node.level == 0 ? chunk_(first).address
                                          : addresses[static_cast<std::size_t>(node.first + i)];
    writer.uint(child.value, file.size_of_offsets);
  }
  if (node.rightmost)
    write_last_key(writer, file);
  else
    write_key(writer, file, nodes_[piece + 1].first_chunk);
  record.keys_and_children = entries;
  ByteWriter whole(out);
  format::encode(whole, file, record);
  whole.zeros(whole.remaining());
}

}  // namespace onecast::structures
