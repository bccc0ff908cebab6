#include "read_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

std::size_t ReadAhead::read_at(std::uint64_t offset, std::span<std::byte> out, std::uint64_t size,
                               const Read& read) {
  if (offset >= size || out.empty()) return 0;
  auto block = blocks_.upper_bound(offset);
  const bool known = block != blocks_.begin() &&
                     offset - std::prev(block)->first < std::prev(block)->second.size();
  if (!known) {
    // A large read needs no block around it.
    if (out.size() >= kFirst) return read(offset, out);
    if (fetch(offset, out.size(), size, read) == 0) return 0;
    block = blocks_.upper_bound(offset);
  } else {
    served_ = true;
  }
  const auto& [start, bytes] = *std::prev(block);
  if (offset - start >= bytes.size()) return 0;  // the file has become shorter
  const std::size_t count = std::min(out.size(), bytes.size() - (offset - start));
  std::memcpy(out.data(), bytes.data() + (offset - start), count);
  return count;
}

void ReadAhead::forget() {
  blocks_.clear();
  in_memory_ = 0;
}

void ReadAhead::adapt(std::uint64_t size) {
  if (size <= kMostInMemory)
    next_size_ =
        blocks_.empty() ? kFirst : std::min((blocks_.size() == 1 ? 2 : 4) * next_size_, kLargest);
  else if (blocks_.size() > 1)  // the first block has the superblock, which is read once
    next_size_ = served_ ? std::min(2 * next_size_, kLargest) : std::max(next_size_ / 4, kSmallest);
  served_ = false;
}

/// Fetches a block around the offset, between the blocks in memory. If a neighbour limits it on one
/// side, the block extends farther on the other side.
std::size_t ReadAhead::fetch(std::uint64_t offset, std::size_t wanted, std::uint64_t size,
                             const Read& read) {
  adapt(size);
  if (in_memory_ + next_size_ > kMostInMemory) forget();
  const auto next = blocks_.upper_bound(offset);
  const std::uint64_t end = next == blocks_.end() ? size : std::min(size, next->first);
  const std::uint64_t begin =
      next == blocks_.begin() ? 0 : std::prev(next)->first + std::prev(next)->second.size();
  const std::uint64_t block = std::max<std::uint64_t>(next_size_, wanted);
  std::uint64_t first = offset;
  // A program that reads all over the file also reads before the offset.
  const bool takes_before = size <= kMostInMemory && blocks_.size() > 1;
  if (takes_before && offset + wanted - begin <= block) first = begin;
  if (end - first < block) first = std::max(begin, end - std::min(block, end));
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(block, end - first)));
  const std::size_t got = read(first, bytes);
  bytes.resize(got);
  if (got == 0) return 0;
  in_memory_ += got;
  blocks_.insert_or_assign(first, std::move(bytes));
  return got;
}
