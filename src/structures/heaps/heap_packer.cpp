#include "structures/heaps/heap_packer.hpp"

#include <algorithm>

#include "base/round_up.hpp"
#include "structures/heaps/global_heap.hpp"

namespace onecast::structures {
namespace {

constexpr std::uint64_t kAlignment = 8;

}  // namespace

// Each string is one call.
[[gnu::flatten]] GlobalHeapId HeapPacker::put(ByteView value) {
  const std::uint64_t size = heap_prefix_size(*file_) + round_up(value.size(), kAlignment);
  if (is_open() && !room_.fits(size, used_)) close();
  if (!is_open()) open(size);
  GlobalHeapObject object;
  object.index = static_cast<std::uint16_t>(room_.index_at(used_));
  object.data = value;
  const std::span<std::byte> all(bytes_);
  ByteWriter out(all.subspan(static_cast<std::size_t>(used_), static_cast<std::size_t>(size)));
  encode(out, *file_, object);
  used_ += size;
  return {room_.collection, object.index};
}

void HeapPacker::open(std::uint64_t needed) {
  const auto reused = target_->reuse(needed);
  if (reused) {
    room_ = *reused;
    used_ = 0;
  } else {
    const std::uint64_t prefix = heap_prefix_size(*file_);
    const std::uint64_t size = std::max(next_size_, prefix + needed);
    next_size_ = std::min(2 * next_size_, kUsual);
    const Address address = target_->begin(size);
    room_ = {address, size, address, size};
    used_ = prefix;
  }
  bytes_.assign(room_.size, std::byte{0});
}

void HeapPacker::close() {
  bytes_ = snapshot();
  target_->complete(room_, bytes_, used_);
  room_ = {};
  bytes_.clear();
}

void HeapPacker::finish() {
  if (is_open()) close();
  next_size_ = kSmallest;
}

std::vector<std::byte> HeapPacker::snapshot() const {
  if (!is_open()) return {};
  HeapRoom room = room_;
  std::vector<std::byte> bytes = bytes_;
  if (room.is_collection()) {
    room.size = room.collection_size = std::max(used_, kSmallest);
    bytes.resize(room.size);
    GlobalHeapCollection prefix;
    prefix.collection_size = room.size;
    ByteWriter start(bytes);
    encode(start, *file_, prefix);
  }
  const auto rest = prefix_of_rest(*file_, room, used_);
  std::ranges::copy(rest, bytes.begin() + static_cast<std::ptrdiff_t>(used_));
  if (!room.is_collection()) bytes.resize(used_ + rest.size());
  return bytes;
}

std::vector<std::byte> prefix_of_rest(const FileContext& file, const HeapRoom& room,
                                      std::uint64_t used) {
  const std::uint64_t size = heap_prefix_size(file);
  // A rest without room for a prefix, at the collection's end, is free as well.
  if (room.size - used < size) return {};
  // A prefix ends with the size, which for free space includes the prefix.
  GlobalHeapObject prefix;
  prefix.free_size = room.size - used;
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!room.ends_collection()) prefix.free_size -= size;
  ByteWriter out(bytes);
  encode(out, file, prefix);
  if (room.ends_collection()) return bytes;
  const std::uint64_t index = room.index_at(used);
  for (std::size_t i = 0; i < 2; ++i) bytes[i] = static_cast<std::byte>(index >> 8U * i);
  return bytes;
}

}  // namespace onecast::structures
