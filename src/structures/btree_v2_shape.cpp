#include "structures/btree_v2_shape.hpp"

namespace onecast::structures {

BTreeV2Shape::BTreeV2Shape(std::uint32_t node_size, std::uint16_t record_size,
                           std::uint8_t size_of_offsets)
    : node_size_(node_size), record_size_(record_size), size_of_offsets_(size_of_offsets) {}

bool BTreeV2Shape::reach(unsigned level) {
  while (levels_.size() <= level) {
    const bool leaf = levels_.empty();
    const bool twig = levels_.size() == 1;
    Level next{};
    std::uint64_t pointer_size = 0;
    if (!leaf) {
      next.record_count_size = bytes_up_to(levels_.front().max_records);
      next.total_count_size = twig ? std::uint8_t{0} : bytes_up_to(levels_.back().max_total);
      pointer_size = size_of_offsets_ + next.record_count_size + next.total_count_size;
    }
    const std::uint64_t overhead = kBTreeV2NodeOverhead + pointer_size;
    if (record_size_ == 0 || node_size_ < overhead + record_size_ + pointer_size) return false;
    next.max_records = (node_size_ - overhead) / (record_size_ + pointer_size);
    const bool overflows =
        !leaf &&
        (__builtin_mul_overflow(next.max_records + 1, levels_.back().max_total, &next.max_total) ||
         __builtin_add_overflow(next.max_total, next.max_records, &next.max_total));
    if (overflows) return false;
    if (leaf) next.max_total = next.max_records;
    levels_.push_back(next);
  }
  return true;
}

}  // namespace onecast::structures
