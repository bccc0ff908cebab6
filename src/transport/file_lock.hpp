#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "base/namespaces.hpp"
#include "transport/transport.hpp"

namespace onecast::transport {

/// A lock on an open file (flock, as HDF5 takes it): other processes see it, and other openings of
/// the file by this one. It ends with the descriptor.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { forget(); }

  /// As Transport::lock. One for writing becomes one for reading.
  void take(int descriptor, const std::string& path, LockKind kind);

 private:
  void forget();

  std::pair<dev_t, ino_t> file_{};
  bool writes_ = false;
};

/// Has this process an exclusive lock on the file?
bool this_process_writes(const std::string& path);

/// Does the error mean that the file system has no locks?
bool is_without_locks(int system_errno);

}  // namespace onecast::transport
