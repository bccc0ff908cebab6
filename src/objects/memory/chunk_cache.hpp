#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"

namespace onecast::memory {

/// Which chunk of which dataset.
struct ChunkKey {
  std::uint64_t storage;  ///< ChunkStorage::id()
  std::uint64_t number;   ///< ChunkGrid::number()
  bool operator==(const ChunkKey&) const = default;
};

/// Decoded chunks of one file, those used last, up to a number of bytes. Many small reads of one
/// chunk then decode it once. The lock is held for a lookup and no longer: the bytes are shared and
/// do not change.
class ChunkCache {
 public:
  using Chunk = std::shared_ptr<const Buffer>;

  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

  /// Null if it is not there.
  [[nodiscard]] Chunk find(const ChunkKey& key);
  void add(const ChunkKey& key, Chunk chunk);
  /// The chunk was written.
  void erase(const ChunkKey& key);

 private:
  struct Entry {
    ChunkKey key;
    Chunk chunk;
  };
  struct Hash {
    std::size_t operator()(const ChunkKey& key) const noexcept {
      return static_cast<std::size_t>((key.number + (key.storage << 40U)) * 0x9E3779B97F4A7C15ULL);
    }
  };

  std::uint64_t limit_ = 0;
  std::mutex mutex_;  ///< of what follows
  std::uint64_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the one used last in front
  std::unordered_map<ChunkKey, std::list<Entry>::iterator, Hash> places_;
};

}  // namespace onecast::memory
