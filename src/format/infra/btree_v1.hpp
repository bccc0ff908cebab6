#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class BTreeV1NodeType : std::uint8_t { group = 0, chunk = 1 };

/// The key of a node of type 0: "the byte offset into the local heap for the first object name in
/// the subtree which that key describes".
struct BTreeV1GroupKey {
  static constexpr const char* kTitle = "B-tree Nodes: Key of a Group Node";

  std::uint64_t name_offset = 0;

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.length("Byte offset into the local heap", s.name_offset);
  }
};

/// The key of a node of type 1, for a dataset of `rank` dimensions.
struct BTreeV1ChunkKey {
  static constexpr const char* kTitle = "B-tree Nodes: Key of a Chunked Raw Data Node";
  static constexpr unsigned kMaxRank = 32;

  unsigned rank = 0;  ///< context: not stored in the key
  std::uint32_t chunk_size = 0;
  std::uint32_t filter_mask = 0;
  std::array<std::uint64_t, kMaxRank> offset;  ///< in elements; the first `rank` are set
  std::uint64_t element_offset = 0;

  static std::size_t size(unsigned rank) { return 8 + 8 * (std::size_t{rank} + 1); }
  [[nodiscard]] BTreeV1ChunkKey context() const {
    BTreeV1ChunkKey key;
    key.rank = rank;
    return key;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.u32("Size of chunk in bytes", s.chunk_size);
    v.u32("Filter mask", s.filter_mask);
    for (unsigned i = 0; i < s.rank; ++i)
      v.u64("Offset of the chunk within the dataset", s.offset[i]);
    v.u64("Offset within the dataset's datatype", s.element_offset);
  }
};

/// "III.A.1. Disk Format: Level 1A1 - Version 1 B-trees". Keys and children stay encoded, since a
/// search reads few of them.
struct BTreeV1Node {
  static constexpr const char* kTitle = "B-tree Nodes";

  std::size_t key_size = 0;  ///< context: bytes of one key, by the node type
  BTreeV1NodeType type = BTreeV1NodeType::group;
  std::uint8_t level = 0;
  std::uint16_t entries_used = 0;
  Address left_sibling;
  Address right_sibling;
  ByteView keys_and_children;  ///< key, child, key, ..., child, key

  [[nodiscard]] BTreeV1Node context() const {
    BTreeV1Node node;
    node.key_size = key_size;
    return node;
  }
  static std::uint64_t prefix_size(const FileContext& file) {
    return 8 + 2U * file.size_of_offsets;
  }
  static std::uint64_t entries_size(const FileContext& file, std::size_t key_size,
                                    std::uint16_t entries_used) {
    return (key_size + file.size_of_offsets) * std::uint64_t{entries_used} + key_size;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    prefix(v, s);
    v.view("Keys and Child Pointers", s.keys_and_children,
           entries_size(v.file(), s.key_size, s.entries_used));
  }

  /// The rows before the keys, which give the length of the node.
  template <class V, class Self>
  static void prefix(V& v, Self& s) {
    v.signature("Signature", "TREE");
    v.u8("Node Type", s.type);
    v.check(s.type <= BTreeV1NodeType::chunk, "Node Type", "is neither 0 nor 1");
    v.u8("Node Level", s.level);
    v.u16("Entries Used", s.entries_used);
    v.address("Address of Left Sibling", s.left_sibling);
    v.address("Address of Right Sibling", s.right_sibling);
  }
};

}  // namespace onecast::format
