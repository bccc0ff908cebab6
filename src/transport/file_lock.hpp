#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <tuple>

#include "base/mutex.hpp"
#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// A lock on an open file (flock, as HDF5 takes it): other processes see it, and other openings of
/// the file by this one.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { forget(); }

  /// As Transport::lock. One for writing becomes one for reading.
  void take(int descriptor, const std::string& path, LockKind kind);
  /// Call it before the descriptor is closed. Closing gives the lock back, but not if a process
  /// that was forked meanwhile has the descriptor, too. Only the process that took the lock gives
  /// it back.
  void release(int descriptor);

 private:
  void forget();

  pid_t owner_ = 0;  ///< whose lock it is; 0: there is none
  std::uint32_t forks_before_ = forks_so_far();
  std::tuple<pid_t, dev_t, ino_t> file_{};
  bool writes_ = false;
};

/// Has this process (not the one that it was forked off) an exclusive lock on the file?
bool this_process_writes(const std::string& path);

/// Does the error mean that the file system has no locks?
bool is_without_locks(int system_errno);

}  // namespace onecast::transport
