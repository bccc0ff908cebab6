#include "structures/heaps/heap_packer.hpp"

#include <algorithm>

#include "base/round_up.hpp"
#include "structures/heaps/global_heap.hpp"

namespace onecast {
namespace {

constexpr std::uint64_t kAlignment = 8;

}  // namespace

std::uint64_t HeapPacker::object_size(std::uint64_t value) const {
  return heap_prefix_size(*file_) + round_up(value, kAlignment);
}

GlobalHeapId HeapPacker::put(ByteView value) {
  const std::uint64_t size = object_size(value.size());
  if (is_open() && (size > bytes_.size() - used_ || last_index_ == UINT16_MAX)) close();
  if (!is_open()) begin(size);
  GlobalHeapObject object;
  object.index = ++last_index_;
  object.data = value;
  const std::span<std::byte> all(bytes_);
  ByteWriter out(all.subspan(static_cast<std::size_t>(used_), static_cast<std::size_t>(size)));
  encode(out, *file_, object);
  used_ += size;
  return {address_, last_index_};
}

void HeapPacker::begin(std::uint64_t needed) {
  const std::uint64_t prefix = heap_prefix_size(*file_);
  const std::uint64_t size = std::max(next_size_, prefix + needed);
  next_size_ = std::min(2 * next_size_, kUsual);
  address_ = target_->begin(size);
  bytes_.assign(size, std::byte{0});
  used_ = prefix;
  completed_ = 0;
  last_index_ = 0;
}

void HeapPacker::complete() {
  if (completed_ == used_) return;
  const std::uint64_t begun = bytes_.size();
  if (completed_ == 0) bytes_.resize(std::max(used_, kSmallest));
  seal(bytes_);
  if (completed_ == 0)
    target_->complete(address_, bytes_, begun);
  else
    target_->extend(address_, bytes_, completed_);
  completed_ = used_;
}

void HeapPacker::close() {
  complete();
  bytes_.clear();
}

void HeapPacker::finish() {
  if (is_open()) close();
  next_size_ = kSmallest;
}

void HeapPacker::pause() {
  if (is_open()) complete();
  next_size_ = kSmallest;
}

std::vector<std::byte> HeapPacker::snapshot() const {
  std::vector<std::byte> bytes = bytes_;
  if (!bytes.empty()) seal(bytes);
  return bytes;
}

void HeapPacker::seal(std::span<std::byte> bytes) const {
  GlobalHeapCollection prefix;
  prefix.collection_size = bytes.size();
  ByteWriter start(bytes);
  encode(start, *file_, prefix);
  // Where not even the prefix of an object fits, the rest is free all the same.
  const std::uint64_t left = bytes.size() - used_;
  if (left < heap_prefix_size(*file_)) return;
  GlobalHeapObject free;
  free.free_size = left;
  ByteWriter end(bytes.subspan(static_cast<std::size_t>(used_)));
  encode(end, *file_, free);
}

}  // namespace onecast
