#include "structures/heaps/heap_space.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace onecast::structures {

std::uint64_t free_of_rows(const DoublingTable& table, std::uint64_t block_prefix, unsigned rows) {
  std::vector<std::uint64_t> of_block;  // the free space of one block of each row
  std::uint64_t sum = 0;
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint64_t size = table.block_size(row);
    std::uint64_t free = size - block_prefix;
    if (!table.is_direct(row)) {
      const auto nested = of_block.begin() + table.rows_of_indirect(size);
      free = table.width * std::accumulate(of_block.begin(), nested, std::uint64_t{0});
    }
    of_block.push_back(free);
    sum += table.width * free;
  }
  return sum;
}

unsigned root_rows_for(const DoublingTable& table, unsigned row) {
  return std::min(std::bit_ceil(row + 1U), table.max_root_rows());
}

std::uint64_t largest_direct_block(const DoublingTable& table, unsigned rows) {
  return table.block_size(std::min(rows, table.direct_rows()) - 1);
}

HeapSpace::HeapSpace(const DoublingTable& table, std::uint64_t block_prefix)
    : table_(table), prefix_(block_prefix) {
  if (!table.is_valid()) throw std::logic_error("HeapSpace: impossible doubling table");
  indirect_.push_back({0, table.max_root_rows(), {}, {}});
  path_.push_back({0, 0});
}

std::uint64_t HeapSpace::allocate(std::uint64_t size) {
  if (direct_.empty() || direct_.back().size - direct_.back().used < size)
    new_direct_block(prefix_ + size);
  DirectBlock& block = direct_.back();
  const std::uint64_t offset = block.offset + block.used;
  block.used += size;
  object_bytes_ += size;
  return offset;
}

void HeapSpace::new_direct_block(std::uint64_t needed) {
  for (;;) {
    Position& at = path_.back();
    IndirectBlock& table = indirect_[at.block];
    const auto row = static_cast<unsigned>(at.next_entry / table_.width);
    if (row >= table.rows) {
      path_.pop_back();
      if (path_.empty()) throw std::logic_error("HeapSpace: the objects do not fit into the heap");
      ++path_.back().next_entry;
      continue;
    }
    const std::uint64_t offset = table.offset + table_.entry_offset(at.next_entry);
    if (table_.is_direct(row)) {
      if (table_.block_size(row) < needed) {
        at.next_entry = (row + std::uint64_t{1}) * table_.width;
        continue;
      }
      table.direct.emplace_back(at.next_entry++, direct_.size());
      direct_.push_back({offset, table_.block_size(row), prefix_});
      return;
    }
    const unsigned rows = table_.rows_of_indirect(table_.block_size(row));
    if (largest_direct_block(table_, rows) < needed) {
      ++at.next_entry;
      continue;
    }
    table.indirect.emplace_back(at.next_entry, indirect_.size());
    path_.push_back({indirect_.size(), 0});
    indirect_.push_back({offset, rows, {}, {}});
  }
}

bool HeapSpace::has_root_direct_block() const {
  return direct_.size() == 1 && direct_.front().offset == 0;
}

unsigned HeapSpace::root_rows() const {
  if (direct_.empty() || has_root_direct_block()) return 0;
  const IndirectBlock& root = indirect_.front();
  std::uint64_t last = root.direct.back().first;
  if (!root.indirect.empty()) last = std::max(last, root.indirect.back().first);
  return root_rows_for(table_, static_cast<unsigned>(last / table_.width));
}

std::vector<HeapSpace::IndirectBlock> HeapSpace::indirect_blocks() const {
  if (root_rows() == 0) return {};
  std::vector<IndirectBlock> blocks = indirect_;
  blocks.front().rows = root_rows();
  return blocks;
}

std::uint64_t HeapSpace::managed_space() const {
  if (direct_.empty()) return 0;
  return root_rows() == 0 ? table_.starting_block_size : table_.row_offset(root_rows());
}

std::uint64_t HeapSpace::allocated_space() const {
  return std::accumulate(
      direct_.begin(), direct_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const DirectBlock& block) { return sum + block.size; });
}

std::uint64_t HeapSpace::free_space() const {
  if (direct_.empty()) return 0;
  const std::uint64_t all = root_rows() == 0 ? table_.starting_block_size - prefix_
                                             : free_of_rows(table_, prefix_, root_rows());
  return all - object_bytes_;
}

std::uint64_t HeapSpace::iterator_offset() const {
  // A root direct block does not count: the iterator starts with the root indirect block.
  if (root_rows() == 0) return 0;
  const Position& at = path_.back();
  return indirect_[at.block].offset + table_.entry_offset(at.next_entry);
}

}  // namespace onecast::structures
