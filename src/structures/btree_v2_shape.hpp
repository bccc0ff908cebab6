#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "format/infra/btree_v2.hpp"

namespace onecast::structures {

/// The number of bytes for values up to `limit` ("the least number of bytes required to encode").
constexpr std::uint8_t bytes_up_to(std::uint64_t limit) {
  return static_cast<std::uint8_t>(limit == 0 ? 1 : (std::bit_width(limit) + 7) / 8);
}

/// The values that follow from the node size and record size of a version 2 B-tree: the number of
/// records of a node in each level, and the width of the counts in child pointers ("Number of
/// Records in Child Node").
class BTreeV2Shape {
 public:
  struct Level {
    std::uint64_t max_records;       ///< in one node
    std::uint64_t max_total;         ///< with all descendants
    std::uint8_t record_count_size;  ///< width in pointers to children
    std::uint8_t total_count_size;   ///< width in pointers to children; 0 in levels 0 and 1
  };

  BTreeV2Shape(std::uint32_t node_size, std::uint16_t record_size, std::uint8_t size_of_offsets);

  /// Adds levels up to `level` (0: the leaves). Returns false if nodes are too small for it, or the
  /// number of records would not fit into 8 bytes.
  bool reach(unsigned level);

  [[nodiscard]] const Level& level(unsigned level) const { return levels_[level]; }

 private:
  std::uint64_t node_size_;
  std::uint64_t record_size_;
  std::uint64_t size_of_offsets_;
  std::vector<Level> levels_;
};

}  // namespace onecast::structures
