#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ranges.hpp"

namespace onecast::lab {

// The locks that programs take with fcntl (on ranges) and flock (on whole files).
enum class FileLockKind : std::uint8_t { kFcntl, kFlock };
enum class FileLockMode : std::uint8_t { kUnlock, kShared, kExclusive };

struct FileLock {
  FileLockKind kind = FileLockKind::kFcntl;
  FileLockMode mode = FileLockMode::kUnlock;
  // The mount, and the owner that its kernel names within it.
  std::uint32_t client = 0;
  std::uint64_t owner = 0;
  std::int32_t process = 0;
  const void* handle = nullptr;  // the open file, for flock
  Range range;

  bool same_owner(const FileLock& other) const {
    return kind == other.kind && client == other.client && owner == other.owner;
  }
  bool conflicts(const FileLock& other) const;
};

class FileLocks {
 public:
  using Key = const void*;  // identifies a waiting request

  // Returns the first lock that `wanted` would have to wait for.
  std::optional<FileLock> conflict(std::uint64_t inode, const FileLock& wanted) const;
  // Sets, changes or removes a lock; `wanted` must not conflict.
  void set(std::uint64_t inode, const FileLock& wanted);
  void release(std::uint64_t inode, const FileLock& owner);
  // Adds a request to the queue.
  void wait(std::uint64_t inode, const FileLock& wanted, Key key);
  bool give_up(Key key);
  // Grants the requests that no longer conflict; returns their keys.
  std::vector<Key> grant(std::uint64_t inode);

 private:
  struct Waiting {
    std::uint64_t inode;
    FileLock lock;
    Key key;
  };

  std::map<std::uint64_t, std::vector<FileLock>> held_;
  std::vector<Waiting> waiting_;
};

}  // namespace onecast::lab
