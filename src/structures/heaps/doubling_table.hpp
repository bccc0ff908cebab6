#pragma once

#include <bit>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::structures {

/// The arithmetic of a fractal heap's doubling table ("III.G. Disk Format: Level 1G - Fractal
/// Heap"): the sizes of blocks, and their places in the heap's address space. The blocks of the
/// first two rows have the starting size, those of each further row twice the size of the previous
/// row. Blocks above the maximum direct size are indirect blocks, with tables of their own.
struct DoublingTable {
  std::uint64_t width = 4;
  std::uint64_t starting_block_size = 512;
  std::uint64_t max_direct_block_size = 64 * 1024;
  unsigned max_heap_bits = 32;

  /// True if the values are powers of two that fit each other. The other functions require this.
  [[nodiscard]] constexpr bool is_valid() const {
    return std::has_single_bit(width) && std::has_single_bit(starting_block_size) &&
           std::has_single_bit(max_direct_block_size) &&
           starting_block_size <= max_direct_block_size &&
           max_direct_block_size <= std::uint64_t{1} << 31U && max_heap_bits <= 63 &&
           width <= 0x8000 && first_row_bits() <= max_heap_bits &&
           max_direct_block_size <= std::uint64_t{1} << max_heap_bits &&
           // Otherwise the smallest indirect block would not have even one row.
           width * starting_block_size <= 2 * max_direct_block_size;
  }

  /// log2 of the space of the first row.
  [[nodiscard]] constexpr unsigned first_row_bits() const {
    return static_cast<unsigned>(std::countr_zero(width) + std::countr_zero(starting_block_size));
  }
  [[nodiscard]] constexpr std::uint64_t block_size(unsigned row) const {
    return row == 0 ? starting_block_size : starting_block_size << (row - 1);
  }
  /// The start of a row, which is also the space of all rows before it.
  [[nodiscard]] constexpr std::uint64_t row_offset(unsigned row) const {
    return row == 0 ? 0 : width * starting_block_size << (row - 1);
  }
  [[nodiscard]] constexpr std::uint64_t entry_offset(std::uint64_t entry) const {
    const auto row = static_cast<unsigned>(entry / width);
    return row_offset(row) + entry % width * block_size(row);
  }
  [[nodiscard]] constexpr unsigned direct_rows() const {
    return static_cast<unsigned>(std::countr_zero(max_direct_block_size) -
                                 std::countr_zero(starting_block_size)) +
           2;
  }
  [[nodiscard]] constexpr bool is_direct(unsigned row) const { return row < direct_rows(); }
  [[nodiscard]] constexpr unsigned max_root_rows() const {
    return max_heap_bits - first_row_bits() + 1;
  }
  /// The rows of the indirect block that covers `size` bytes of heap space.
  [[nodiscard]] constexpr unsigned rows_of_indirect(std::uint64_t size) const {
    return static_cast<unsigned>(std::countr_zero(size)) - first_row_bits() + 1;
  }

  /// The row that contains `offset`, which is below row_offset(max_root_rows()).
  [[nodiscard]] constexpr unsigned row_at(std::uint64_t offset) const {
    const std::uint64_t first_row = width * starting_block_size;
    return offset < first_row ? 0
                              : static_cast<unsigned>(std::bit_width(offset)) - first_row_bits();
  }
  [[nodiscard]] constexpr std::uint64_t entry_at(std::uint64_t offset) const {
    const unsigned row = row_at(offset);
    return row * width + (offset - row_offset(row)) / block_size(row);
  }

  /// The size of a heap offset in block prefixes and heap IDs.
  [[nodiscard]] constexpr std::uint8_t offset_size() const {
    return static_cast<std::uint8_t>((max_heap_bits + 7) / 8);
  }
};

}  // namespace onecast::structures
