#include "objects/memory/private_heap.hpp"

namespace onecast::memory {

GlobalHeapId PrivateHeap::put(ByteView value, const FileContext& file) {
  if (!packer_) packer_.emplace(file, static_cast<HeapPacker::Target&>(*this));
  if (next_ == 0) next_ = first_place(file).value;
  ++puts_;
  return packer_->put(value);
}

Address PrivateHeap::take(std::uint64_t size, const FileContext& file) {
  if (next_ == 0) next_ = first_place(file).value;
  return begin(size);
}

void PrivateHeap::clear() {
  packer_.reset();
  collections_.clear();
}

std::vector<std::byte> PrivateHeap::collection(Address collection) const {
  return is_open(collection) ? packer_->snapshot() : collections_.at(collection);
}

Address PrivateHeap::begin(std::uint64_t size) {
  const Address address{next_};
  next_ += size;
  return address;
}

void PrivateHeap::complete(const HeapRoom& room, std::span<const std::byte> bytes, std::uint64_t) {
  collections_.emplace(room.collection, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace onecast::memory
