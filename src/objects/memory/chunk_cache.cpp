#include "objects/memory/chunk_cache.hpp"

#include <vector>

namespace onecast::memory {

ChunkCache::Chunk ChunkCache::find(const ChunkKey& key) {
  if (limit_ == 0) return {};
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(key);
  if (found == places_.end()) return {};
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->chunk;
}

void ChunkCache::erase(const ChunkKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(key);
  if (found == places_.end()) return;
  bytes_ -= found->second->chunk->size();
  entries_.erase(found->second);
  places_.erase(found);
}

void ChunkCache::add(const ChunkKey& key, Chunk chunk) {
  const std::uint64_t size = chunk->size();
  if (size > limit_) return;
  std::vector<Chunk> dropped;  // freed behind the lock
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = places_.try_emplace(key);
  if (!is_new) return;  // another thread was faster
  entries_.push_front({key, std::move(chunk)});
  place->second = entries_.begin();
  bytes_ += size;
  while (bytes_ > limit_) {
    Entry& last = entries_.back();
    bytes_ -= last.chunk->size();
    places_.erase(last.key);
    dropped.push_back(std::move(last.chunk));
    entries_.pop_back();
  }
}

}  // namespace onecast::memory
