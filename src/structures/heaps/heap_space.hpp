#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "structures/heaps/doubling_table.hpp"

namespace onecast::structures {

/// The free space of a heap whose root indirect block has so many rows, if there were no objects.
/// Blocks that do not exist yet count as if they did. `block_prefix`: bytes of a direct block
/// before its objects.
std::uint64_t free_of_rows(const DoublingTable& table, std::uint64_t block_prefix, unsigned rows);

/// How many rows a root indirect block gets that must have this one: other writers double them.
unsigned root_rows_for(const DoublingTable& table, unsigned row);

/// Bytes of the largest direct block below an indirect block of so many rows.
std::uint64_t largest_direct_block(const DoublingTable& table, unsigned rows);

/// Places objects of known sizes into the address space of a fractal heap, in order, as other
/// writers would: block after block of the doubling table, skipping blocks that are too small for
/// the next object. No object straddles blocks.
class HeapSpace {
 public:
  HeapSpace(const DoublingTable& table, std::uint64_t block_prefix);

  /// Places an object; returns its offset in the heap.
  std::uint64_t place(std::uint64_t size);

  struct DirectBlock {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t used;  ///< with the prefix
  };
  struct IndirectBlock {
    std::uint64_t offset;
    unsigned rows;  ///< of the root: see root_rows()
    /// Entries that exist: where in the table, which block of that kind.
    std::vector<std::pair<std::uint64_t, std::size_t>> direct;
    std::vector<std::pair<std::uint64_t, std::size_t>> indirect;
  };

  [[nodiscard]] const std::vector<DirectBlock>& direct_blocks() const { return direct_; }
  /// The first is the root; none if a direct block is the root.
  [[nodiscard]] std::vector<IndirectBlock> indirect_blocks() const;

  /// 0 if the heap has no block or a direct block is its root.
  [[nodiscard]] unsigned root_rows() const;
  /// The fields of the heap's header.
  [[nodiscard]] std::uint64_t managed_space() const;
  [[nodiscard]] std::uint64_t allocated_space() const;
  [[nodiscard]] std::uint64_t free_space() const;
  [[nodiscard]] std::uint64_t iterator_offset() const;

 private:
  struct Position {
    std::size_t block;  ///< index in indirect_
    std::uint64_t next_entry;
  };

  void new_direct_block(std::uint64_t needed);
  [[nodiscard]] bool has_root_direct_block() const;

  DoublingTable table_;
  std::uint64_t prefix_;
  std::vector<DirectBlock> direct_;
  std::vector<IndirectBlock> indirect_;
  std::vector<Position> path_;  ///< from the root to where the next direct block goes
  std::uint64_t object_bytes_ = 0;
};

}  // namespace onecast::structures
