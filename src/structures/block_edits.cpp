#include "structures/block_edits.hpp"

#include <stdexcept>

namespace onecast::structures {

std::map<Address, BlockEdits::Block>::iterator BlockEdits::holding(Address address) {
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return blocks_.end();
  const auto last = std::prev(next);
  return address.value - last->first.value < last->second.bytes.size() ? last : blocks_.end();
}

ByteView BlockEdits::view(Address address, std::uint64_t length, const char* what) {
  const auto found = holding(address);
  if (found == blocks_.end()) return stored_.view(address, length, what);
  const auto& [start, block] = *found;
  const std::uint64_t offset = address.value - start.value;
  if (length > block.bytes.size() - offset)
    ByteReader({}, address, file(), what).fail("Address", "overlaps another block");
  return ByteView(block.bytes)
      .subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

std::span<std::byte> BlockEdits::open(Address address, std::uint64_t size, const char* what) {
  const auto known = blocks_.find(address);
  if (known != blocks_.end() && known->second.bytes.size() == size) return known->second.bytes;
  // In a sound file, no two blocks share bytes.
  const auto next = blocks_.lower_bound(address);
  if (holding(address) != blocks_.end() ||
      (next != blocks_.end() && next->first.value - address.value < size))
    ByteReader({}, address, file(), what).fail("Address", "overlaps another block");
  const ByteView bytes = stored_.view(address, size, what);
  return blocks_.emplace(address, Block{{bytes.begin(), bytes.end()}, {}}).first->second.bytes;
}

std::span<std::byte> BlockEdits::change(Address address, std::uint64_t size, const char* what) {
  const std::span<std::byte> bytes = open(address, size, what);
  blocks_.find(address)->second.touched = {{address, size}};
  return bytes;
}

void BlockEdits::touch(Address address, std::uint64_t size) {
  if (size == 0) return;
  const auto found = holding(address);
  if (found == blocks_.end()) throw std::logic_error("BlockEdits: touches what is not open");
  std::vector<FileRange>& touched = found->second.touched;
  // What follows the last range, or lies in the first, needs no range of its own.
  for (FileRange* range : {touched.empty() ? nullptr : &touched.front(),
                           touched.empty() ? nullptr : &touched.back()}) {
    if (range == nullptr || address < range->address ||
        address.value > range->address.value + range->size)
      continue;
    range->size = std::max(range->size, address.value + size - range->address.value);
    return;
  }
  touched.push_back({address, size});
}

Address BlockEdits::add(std::uint64_t size) {
  const Address address = take_(size);
  added_.push_back({address, size});
  blocks_.emplace(address,
                  Block{std::vector<std::byte>(static_cast<std::size_t>(size)), {{address, size}}});
  return address;
}

}  // namespace onecast::structures
