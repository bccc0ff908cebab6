#include "pages/heap_free_space.hpp"

#include <algorithm>
#include <iterator>

namespace onecast::pages {
namespace {

/// Returns true if only a rest that is too small for an object is left at the collection's end.
bool is_all_of_collection(const HeapRoom& room) {
  return room.collection_size != 0 && room.address == room.collection + HeapRoom::kUnit &&
         room.end() + HeapRoom::kUnit > room.collection + room.collection_size;
}

}  // namespace

std::optional<FileRange> HeapFreeSpace::add(const HeapRoom& room) {
  if (is_all_of_collection(room) && !space_.overlaps(room.address.value, room.size))
    return FileRange{room.collection, room.collection_size};
  // A collection is larger than this only if it holds one large object, and is freed as a whole.
  if (room.end().value - room.collection.value > kMostOfCollection) return std::nullopt;
  const auto stretch = space_.add(room.address.value, room.size);
  if (!stretch) return std::nullopt;
  note(room.collection, room.collection_size, room.end());
  const HeapRoom joined = room_at(stretch->address, stretch->size);
  if (!is_all_of_collection(joined)) return std::nullopt;
  space_.remove(joined.address.value, joined.size);
  return FileRange{joined.collection, joined.collection_size};
}

void HeapFreeSpace::note(Address collection, std::uint64_t size, Address end) {
  const std::uint64_t start = collection.value;
  const std::uint64_t behind = std::max(end.value, start + size);
  auto at = collections_.lower_bound(start);
  // Collections do not overlap, so one that begins before `start` and is still in use ends before
  // it.
  while (at != collections_.end() && at->first < behind)
    at = at->first == start ? std::next(at) : collections_.erase(at);
  std::uint64_t& known = collections_[start];
  if (size != 0) known = size;
}

HeapRoom HeapFreeSpace::room_at(std::uint64_t address, std::uint64_t size) const {
  const auto [start, whole] = *std::prev(collections_.upper_bound(address));
  return {Address{start}, whole, Address{address}, size};
}

std::optional<HeapRoom> HeapFreeSpace::take(std::uint64_t size) {
  const auto stretch = space_.take_whole(size, HeapRoom::kUnit);
  if (!stretch) return std::nullopt;
  return room_at(stretch->address, stretch->size);
}

std::vector<HeapRoom> HeapFreeSpace::rooms() const {
  std::vector<HeapRoom> all;
  for (const auto& [address, size] : space_.stretches()) all.push_back(room_at(address, size));
  return all;
}

}  // namespace onecast::pages
