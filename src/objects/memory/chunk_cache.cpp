#include "objects/memory/chunk_cache.hpp"

#include <iterator>
#include <vector>

namespace onecast::memory {

ChunkCache::Chunk ChunkCache::find(const ChunkKey& key) {
  if (limit_ == 0 || (key.storage == 0 && stored_ == 0)) return {};
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(key);
  if (found == places_.end()) return {};
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->chunk;
}

ChunkCache::Places::iterator ChunkCache::drop(Places::iterator place) {
  if (place->first.storage == 0) --stored_;
  bytes_ -= place->second->chunk->size();
  entries_.erase(place->second);
  return places_.erase(place);
}

void ChunkCache::erase(const ChunkKey& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = places_.find(key); found != places_.end()) drop(found);
}

void ChunkCache::erase_stored(Address first, std::uint64_t size) {
  if (stored_ == 0) return;
  const std::lock_guard lock(mutex_);
  auto place = places_.lower_bound(ChunkKey::stored_at(first));
  if (place != places_.begin()) {
    const auto before = std::prev(place);  // it may overlap the bytes
    if (before->first.number + before->second->chunk->size() > first.value) place = before;
  }
  const ChunkKey end = ChunkKey::stored_at(first + size);
  while (place != places_.end() && place->first < end) place = drop(place);
}

void ChunkCache::add(const ChunkKey& key, Chunk chunk) {
  const std::uint64_t size = chunk->size();
  if (size > limit_) return;
  std::vector<Chunk> dropped;  // freed after the lock
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = places_.try_emplace(key);
  if (!is_new) return;  // another thread was faster
  entries_.push_front({key, std::move(chunk)});
  place->second = entries_.begin();
  bytes_ += size;
  if (key.storage == 0) ++stored_;
  while (bytes_ > limit_) {
    dropped.push_back(entries_.back().chunk);
    drop(places_.find(entries_.back().key));
  }
}

}  // namespace onecast::memory
