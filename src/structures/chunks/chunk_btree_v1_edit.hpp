#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_index_edit.hpp"
#include "structures/visited_extents.hpp"

namespace onecast::structures {

/// Changes a stored version 1 B-tree of chunks in place: only the nodes on the path to a changed
/// chunk are decoded and written, and they keep their places, the root as well. A full node is
/// split; an empty one is given back. Piece 0 is the root; the other changed nodes follow.
///
/// The keys are as the HDF5 library keeps them: the key to the left of a child is that of its first
/// chunk; the last key of a node is that of the first chunk of its right sibling, or, without one,
/// of a chunk after all others.
class ChunkBTreeV1Edit final : public ChunkIndexEdit {
 public:
  /// `node_k`: "Indexed Storage Internal Node K" of the file. `take` allocates a new node. All
  /// calls throw Error (format) if a node that they need is damaged.
  ChunkBTreeV1Edit(MetadataSource& source, const ChunkGrid& grid, std::uint64_t element_size,
                   Address root, unsigned node_k, Take take);

  void remove(const ChunkCoordinates& at) override;
  void set(const ChunkEntry& chunk) override;
  void finish() override;
  [[nodiscard]] std::vector<FileRange> released() const override { return released_; }

  [[nodiscard]] std::size_t count() const override { return pieces_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t /*piece*/) const override { return node_size_; }
  void encode(std::size_t piece, std::span<std::byte> out, std::span<const Address> addresses,
              const FileContext& file) const override;
  [[nodiscard]] std::vector<Address> allocate(const Take& take) const override;
  [[nodiscard]] std::uint64_t touched(std::size_t piece) const override;

 private:
  using Key = std::vector<std::byte>;  ///< in its stored form
  struct Node {
    Address address;
    unsigned level = 0;
    std::size_t count = 0;
    Address left, right;
    std::vector<std::byte> entries;  ///< key, child, key, ..., child, key
    bool changed = false;
    bool is_gone = false;
  };
  struct Step {
    Node* node;
    std::size_t at;  ///< the index of the child on the path
  };
  using Path = std::vector<Step>;

  Node& load(Address address);
  Node& add_node(unsigned level);
  void give_back(Node& node);
  [[noreturn]] void fail(const Node& node, const char* field, const char* what) const;

  [[nodiscard]] std::span<std::byte> key(Node& node, std::size_t i) const;
  [[nodiscard]] Address child(const Node& node, std::size_t i) const;
  void set_key(Node& node, std::size_t i, const Key& key) const;
  void set_child(Node& node, std::size_t i, Address child) const;
  void insert_entry(Node& node, std::size_t i, const Key& key, Address child) const;
  [[nodiscard]] Key key_of(const ChunkEntry& chunk) const;
  [[nodiscard]] Key key_behind(const ChunkCoordinates& last) const;
  [[nodiscard]] std::strong_ordering compare(const Node& node, std::size_t i,
                                             const ChunkCoordinates& at) const;
  /// The number of children that begin with this chunk or an earlier one.
  [[nodiscard]] std::size_t not_behind(const Node& node, const ChunkCoordinates& at) const;

  Path path_to(const ChunkCoordinates& at);
  /// Sets the first key of a node, also in its parents and, if it is that of another chunk, in the
  /// left siblings.
  void set_first_key(const Path& path, std::size_t depth, const Key& key, bool is_other);
  void erase(const Path& path, std::size_t depth, std::size_t i);
  void unlink(const Node& node);
  void insert(Path& path, std::size_t depth, std::size_t i, const Key& key, Address child);
  Node& split(Node& node, std::size_t kept);
  void grow_root(Path& path);

  MetadataSource& source_;
  ChunkGrid grid_;
  std::uint64_t element_size_;
  Address root_;
  std::size_t most_;  ///< the most children of a node
  std::size_t key_size_;
  std::size_t stride_;  ///< from one key to the next
  std::uint64_t node_size_;
  Take take_;
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<Node*> order_;  ///< in the order of reading, which is equal on all ranks
  std::vector<FileRange> released_;
  std::vector<const Node*> pieces_;
  VisitedExtents visited_;
};

}  // namespace onecast::structures
