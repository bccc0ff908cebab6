#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "base/buffer.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::memory {

/// Which chunk of which dataset; or for one that is stored as it is, which bytes of the file.
struct ChunkKey {
  std::uint64_t storage;  ///< ChunkStorage::id(), never 0; 0: `number` is an address
  std::uint64_t number;   ///< ChunkGrid::number()
  auto operator<=>(const ChunkKey&) const = default;

  static ChunkKey stored_at(Address address) { return {0, address.value}; }
};

/// Chunks of one file as they are in memory, those used last, up to a number of bytes. Many small
/// reads of one chunk then read and decode it once. The lock is held for a lookup and no longer:
/// the bytes are shared and do not change.
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
  /// These bytes of the file are about to be written.
  void erase_stored(Address first, std::uint64_t size);

 private:
  struct Entry {
    ChunkKey key;
    Chunk chunk;
  };
  using Places = std::map<ChunkKey, std::list<Entry>::iterator>;

  Places::iterator drop(Places::iterator place);

  std::uint64_t limit_ = 0;
  Mutex mutex_;  ///< of what follows
  std::uint64_t bytes_ = 0;
  std::list<Entry> entries_;  ///< the one used last in front
  Places places_;
  std::atomic<std::size_t> stored_{0};  ///< how many of them are bytes of the file
};

}  // namespace onecast::memory
