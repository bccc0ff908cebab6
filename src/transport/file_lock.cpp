#include "transport/file_lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "base/of_process.hpp"
#include "onecast/base/error.hpp"
#include "transport/retry_interrupted.hpp"
#include "transport/system_error.hpp"

namespace onecast::transport {
namespace {

/// The files that this process has open for writing, with a lock. A forked process inherits the
/// list, so each entry has its process.
struct Written {
  GlobalMutex mutex;
  std::multiset<std::tuple<pid_t, dev_t, ino_t>> files;
};
Written& written() { return of_process<Written>(); }

int try_lock(int descriptor, int kind) {
  return retry_interrupted([&] { return flock(descriptor, kind | LOCK_NB); });
}

constexpr const char* kHowToTurnOff =
    "HDF5_USE_FILE_LOCKING=FALSE in the environment, or the option locking of a program's File, "
    "turns locks off";

[[noreturn]] void fail_locked(const std::string& path, int descriptor, LockKind kind) {
  // A lock that can still be shared is held by readers only.
  const bool readers = kind == LockKind::exclusive && try_lock(descriptor, LOCK_SH) == 0;
  const char* who = readers                     ? "it is open elsewhere, for reading"
                    : this_process_writes(path) ? "this process has it open for writing"
                                                : "it is open elsewhere, for writing";
  throw Error(ErrorCode::io, fmt::format("{}: locked: {} ({})", path, who, kHowToTurnOff), EAGAIN);
}

/// Returns 0 or errno. Tries for a while, since a process that closes the file together with others
/// may unlock it a little after they go on.
int lock_soon(int descriptor, const std::string& path, int kind) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongest{256};
  for (milliseconds wait{1};; wait *= 2) {
    if (try_lock(descriptor, kind) == 0) return 0;
    const int reason = errno;
    if (reason != EWOULDBLOCK || wait > kLongest || this_process_writes(path)) return reason;
    std::this_thread::sleep_for(wait);
  }
}

}  // namespace

void FileLock::take(int descriptor, const std::string& path, LockKind kind) {
  const int reason = lock_soon(descriptor, path, kind == LockKind::exclusive ? LOCK_EX : LOCK_SH);
  if (reason != 0) {
    if (reason == EWOULDBLOCK) fail_locked(path, descriptor, kind);
    if (!is_without_locks(reason)) fail_call(path, "flock", reason);
    throw Error(ErrorCode::io,
                fmt::format("{}: the file system has no locks ({})", path, kHowToTurnOff), reason);
  }
  owner_ = getpid();
  if (kind == LockKind::shared && writes_) forget();
  if (kind != LockKind::exclusive || writes_) return;
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) fail_call(path, "fstat", errno);
  file_ = {owner_, status.st_dev, status.st_ino};
  const std::scoped_lock lock(written().mutex);
  written().files.insert(file_);
  writes_ = true;
}

void FileLock::release(int descriptor) {
  if (owner_ == getpid() && forks_so_far() != forks_before_) flock(descriptor, LOCK_UN);
}

void FileLock::forget() {
  if (!writes_) return;
  const std::scoped_lock lock(written().mutex);
  if (const auto found = written().files.find(file_); found != written().files.end())
    written().files.erase(found);
  writes_ = false;
}

bool this_process_writes(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return false;
  const std::scoped_lock lock(written().mutex);
  return written().files.contains({getpid(), status.st_dev, status.st_ino});
}

bool is_without_locks(int system_errno) {
  return system_errno == ENOSYS || system_errno == EOPNOTSUPP || system_errno == ENOLCK;
}

}  // namespace onecast::transport
