#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/heaps/doubling_table.hpp"

namespace onecast::structures {

/// The free space of a heap without objects whose root indirect block has this number of rows.
/// Missing blocks count as if they existed. `block_prefix`: the bytes of a direct block before its
/// objects.
std::uint64_t free_of_rows(const DoublingTable& table, std::uint64_t block_prefix, unsigned rows);

/// The rows of a root indirect block that must include this row; like other writers, it doubles
/// them.
unsigned root_rows_for(const DoublingTable& table, unsigned row);

/// The size of the largest direct block below an indirect block with this number of rows.
std::uint64_t largest_direct_block(const DoublingTable& table, unsigned rows);

/// Allocates objects of known sizes in the address space of a fractal heap, in order, as other
/// writers would: block after block of the doubling table, skipping blocks that are too small for
/// the next object. No object straddles blocks.
class HeapSpace {
 public:
  HeapSpace(const DoublingTable& table, std::uint64_t block_prefix);

  /// Allocates an object. Returns its offset in the heap.
  std::uint64_t allocate(std::uint64_t size);

  struct DirectBlock {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t used;  ///< includes the prefix
  };
  struct IndirectBlock {
    std::uint64_t offset;
    unsigned rows;  ///< for the root, see root_rows()
    /// The existing entries: the index in the table, and the block's index among those of its kind.
    std::vector<std::pair<std::uint64_t, std::size_t>> direct;
    std::vector<std::pair<std::uint64_t, std::size_t>> indirect;
  };

  [[nodiscard]] const std::vector<DirectBlock>& direct_blocks() const { return direct_; }
  /// The first one is the root; empty if the root is a direct block.
  [[nodiscard]] std::vector<IndirectBlock> indirect_blocks() const;

  /// 0 if the heap has no block, or a direct block is its root.
  [[nodiscard]] unsigned root_rows() const;
  /// Fields of the heap's header.
  [[nodiscard]] std::uint64_t managed_space() const;
  [[nodiscard]] std::uint64_t allocated_space() const;
  [[nodiscard]] std::uint64_t free_space() const;
  [[nodiscard]] std::uint64_t iterator_offset() const;

 private:
  struct Position {
    std::size_t block;  ///< an index in indirect_
    std::uint64_t next_entry;
  };

  void new_direct_block(std::uint64_t needed);
  [[nodiscard]] bool has_root_direct_block() const;

  DoublingTable table_;
  std::uint64_t prefix_;
  std::vector<DirectBlock> direct_;
  std::vector<IndirectBlock> indirect_;
  std::vector<Position> path_;  ///< from the root to the place of the next direct block
  std::uint64_t object_bytes_ = 0;
};

}  // namespace onecast::structures
