#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// A lock on an open file (flock, as HDF5 uses it). It holds against other processes, and against
/// other openings of the file in this one.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { forget(); }

  /// Like Transport::lock. A lock for writing can become one for reading.
  void take(int descriptor, const std::string& path, LockKind kind);
  /// Must be called before the descriptor is closed. Closing releases the lock, but not if a
  /// process that was forked meanwhile has the descriptor, too. Only the process that took the lock
  /// releases it.
  void release(int descriptor);

 private:
  void forget();

  pid_t owner_ = 0;  ///< the process that holds the lock; 0: there is none
  std::uint32_t forks_before_ = forks_so_far();
  std::tuple<pid_t, dev_t, ino_t> file_{};
  bool writes_ = false;
};

/// True if this process (not the one that forked it) has an exclusive lock on the file.
bool this_process_writes(const std::string& path);

/// True if the error means that the file system has no locks.
bool is_without_locks(int system_errno);

}  // namespace onecast::transport
