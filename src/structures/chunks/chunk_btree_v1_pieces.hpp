#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// The version 1 B-tree of a dataset's chunks, built at once: as few nodes as possible, with
/// entries spread evenly in each level. Piece 0 is the root; the other nodes follow, breadth first.
class ChunkBTreeV1Pieces final : public Pieces {
 public:
  /// `chunk(i)` returns the i-th of `count` chunks, at least one, in the order of their
  /// coordinates. `node_k`: "Indexed Storage Internal Node K" of the file.
  using Chunk = std::function<ChunkEntry(std::uint64_t)>;
  ChunkBTreeV1Pieces(const ChunkGrid& grid, std::uint64_t element_size, std::uint64_t count,
                     unsigned node_k, const FileContext& file, Chunk chunk);

  [[nodiscard]] std::size_t count() const override { return nodes_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t /*piece*/) const override { return node_size_; }
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;

  /// The size of every node, however full it is.
  static std::uint64_t node_size(unsigned rank, unsigned node_k, const FileContext& file);

 private:
  struct Node {
    unsigned level;
    std::uint64_t first, count;  ///< children: chunks, or nodes by number
    std::uint64_t first_chunk;   ///< the lowest chunk of the subtree
    bool leftmost, rightmost;    ///< in its level
  };

  [[nodiscard]] std::uint64_t first_chunk_of(const Node& node, std::uint64_t child) const;
  void write_key(ByteWriter& out, const FileContext& file, std::uint64_t chunk) const;
  void write_last_key(ByteWriter& out, const FileContext& file) const;

  ChunkGrid grid_;
  std::uint64_t element_size_;
  std::uint64_t chunks_;
  std::uint64_t node_size_;
  Chunk chunk_;
  std::vector<Node> nodes_;
};

}  // namespace onecast::structures
