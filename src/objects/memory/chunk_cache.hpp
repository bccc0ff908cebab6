#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "base/address.hpp"
#include "base/buffer.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::memory {

/// Identifies a chunk of a dataset or, for an unfiltered chunk, its bytes in the file.
struct ChunkKey {
  std::uint64_t storage;  ///< ChunkStorage::id(), never 0; 0: `number` is an address
  std::uint64_t number;   ///< ChunkGrid::number()
  auto operator<=>(const ChunkKey&) const = default;

  static ChunkKey stored_at(Address address) { return {0, address.value}; }
};

/// The decoded chunks of one file that were used last, up to a number of bytes. Many small reads of
/// one chunk then read and decode it once. The lock is held for a lookup only: the bytes are shared
/// and do not change.
class ChunkCache {
 public:
  using Chunk = std::shared_ptr<const Buffer>;

  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

  /// Returns null if the chunk is not cached.
  [[nodiscard]] Chunk find(const ChunkKey& key);
  void add(const ChunkKey& key, Chunk chunk);
  /// Removes a chunk that was written.
  void erase(const ChunkKey& key);
  /// Removes chunks with these bytes of the file, which are about to be written.
  void erase_stored(Address first, std::uint64_t size);

 private:
  struct Entry {
    ChunkKey key;
    Chunk chunk;
  };
  using Places = std::map<ChunkKey, std::list<Entry>::iterator>;

  Places::iterator drop(Places::iterator place);

  std::uint64_t limit_ = 0;
  Mutex mutex_;  ///< guards the members below
  std::uint64_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the most recently used first
  Places places_;
  std::atomic<std::size_t> stored_{0};  ///< the number of entries that are bytes of the file
};

}  // namespace onecast::memory
