#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class BTreeV2Type : std::uint8_t {
  testing = 0,
  huge_indirect = 1,
  huge_indirect_filtered = 2,
  huge_direct = 3,
  huge_direct_filtered = 4,
  link_name = 5,
  link_creation_order = 6,
  shared_message = 7,
  attribute_name = 8,
  attribute_creation_order = 9,
  chunk = 10,
  filtered_chunk = 11,
};

/// "III.A.2. Disk Format: Level 1A2 - Version 2 B-trees".
struct BTreeV2Header {
  static constexpr const char* kTitle = "Version 2 B-tree Header";

  BTreeV2Type type = BTreeV2Type::link_name;
  std::uint32_t node_size = 512;
  std::uint16_t record_size = 0;
  std::uint16_t depth = 0;
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
  Address root_node;
  std::uint16_t root_record_count = 0;
  std::uint64_t total_record_count = 0;

  static std::uint64_t size(const FileContext& file) {
    return 22 + std::uint64_t{file.size_of_offsets} + file.size_of_lengths;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "BTHD");
    v.version("Version", 0);
    v.u8("Type", s.type);
    v.require(s.type >= BTreeV2Type::huge_indirect && s.type <= BTreeV2Type::filtered_chunk, "Type",
              "a type other than 1 to 11");
    v.u32("Node Size", s.node_size);
    v.u16("Record Size", s.record_size);
    v.check(s.record_size != 0, "Record Size", "is zero");
    v.u16("Depth", s.depth);
    v.u8("Split Percent", s.split_percent);
    v.u8("Merge Percent", s.merge_percent);
    v.address("Root Node Address", s.root_node);
    v.u16("Number of Records in Root Node", s.root_record_count);
    v.length("Total Number of Records in B-tree", s.total_record_count);
    v.checksum("Checksum");
  }
};

/// The bytes of a node besides records and child pointers: signature, version, type, checksum.
inline constexpr std::uint64_t kBTreeV2NodeOverhead = 10;

struct BTreeV2LeafNode {
  static constexpr const char* kTitle = "Version 2 B-tree Leaf Node";

  std::uint64_t records_size = 0;  ///< context: number of records times their size
  BTreeV2Type type = BTreeV2Type::link_name;
  ByteView records;

  [[nodiscard]] BTreeV2LeafNode context() const {
    BTreeV2LeafNode node;
    node.records_size = records_size;
    return node;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "BTLF");
    v.version("Version", 0);
    v.u8("Type", s.type);
    v.view("Records", s.records, s.records_size);
    v.checksum("Checksum");
  }
};

struct BTreeV2ChildPointer {
  Address node;
  std::uint64_t record_count = 0;
  std::uint64_t total_record_count = 0;  ///< including all descendants
};

struct BTreeV2InternalNode {
  static constexpr const char* kTitle = "Version 2 B-tree Internal Node";

  std::uint64_t records_size = 0;      ///< context: number of records times their size
  std::uint64_t child_count = 0;       ///< context: number of records plus one
  std::uint8_t record_count_size = 0;  ///< context: bytes of the field
  std::uint8_t total_record_count_size =
      0;  ///< context: bytes of the field; 0 just above the leaves
  BTreeV2Type type = BTreeV2Type::link_name;
  ByteView records;
  std::vector<BTreeV2ChildPointer> children;

  [[nodiscard]] BTreeV2InternalNode context() const {
    BTreeV2InternalNode node;
    node.records_size = records_size;
    node.child_count = child_count;
    node.record_count_size = record_count_size;
    node.total_record_count_size = total_record_count_size;
    return node;
  }

  template <class V, class Self>
  static void fields(V& v, Self& s) {
    v.signature("Signature", "BTIN");
    v.version("Version", 0);
    v.u8("Type", s.type);
    v.view("Records", s.records, s.records_size);
    const std::uint64_t pointer_size =
        std::uint64_t{v.file().size_of_offsets} + s.record_count_size + s.total_record_count_size;
    v.list("Child Node Pointers", s.children, s.child_count, pointer_size,
           [&s](auto& visitor, auto& child) {
             visitor.address("Child Node Pointer", child.node);
             visitor.uint("Number of Records for Child Node", child.record_count,
                          s.record_count_size);
             if (s.total_record_count_size != 0)
               visitor.uint("Total Number of Records for Child Node", child.total_record_count,
                            s.total_record_count_size);
           });
    v.checksum("Checksum");
  }
};

}  // namespace onecast::format
