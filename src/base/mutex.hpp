#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "base/namespaces.hpp"

// Locks in a process that forks. Only the forking thread continues in the child process; what other
// threads had locked would stay locked for ever.

namespace onecast {

/// The number of forks that this process and its ancestors have begun.
std::uint32_t forks_so_far();

namespace detail {

/// Grows with each fork that led to this process.
extern std::atomic<std::uint32_t> fork_generation;

/// Tells whether a lock has been renewed in this process.
class ForkGeneration {
 public:
  [[nodiscard]] bool is_now() const {
    return known_.load(std::memory_order_acquire) ==
           fork_generation.load(std::memory_order_relaxed);
  }
  /// Calls `renew` once in this process; it returns whether another thread was changing what the
  /// lock guards when the process forked. If so, every call throws Error (state).
  template <class Renew>
  void begin(Renew&& renew) {
    const Turn turn;
    if (is_now()) return;
    if (!is_broken_) is_broken_ = renew();
    if (is_broken_) fail();
    known_.store(fork_generation.load(std::memory_order_relaxed), std::memory_order_release);
  }

 private:
  /// Serializes renewals, for all locks.
  struct Turn {
    Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();
  };
  [[noreturn]] static void fail();

  std::atomic<std::uint32_t> known_ = fork_generation.load(std::memory_order_relaxed);
  bool is_broken_ = false;
};

}  // namespace detail

/// A mutex for data that belongs to a file. In a forked process it is free. If another thread had
/// locked it when the process forked, its data may be half changed: locking it then throws Error
/// (state), so the file cannot be used there.
template <class Inner>
class ForkSafe {
 public:
  ForkSafe() = default;
  ForkSafe(const ForkSafe&) = delete;
  ForkSafe& operator=(const ForkSafe&) = delete;

  void lock() {
    make_ready();
    inner_.lock();
  }
  bool try_lock() {
    make_ready();
    return inner_.try_lock();
  }
  void unlock() { inner_.unlock(); }
  void lock_shared() {
    make_ready();
    inner_.lock_shared();
  }
  bool try_lock_shared() {
    make_ready();
    return inner_.try_lock_shared();
  }
  void unlock_shared() { inner_.unlock_shared(); }

 private:
  void make_ready() {
    if (generation_.is_now()) [[likely]]
      return;
    generation_.begin([this] { return renew(); });
  }
  bool renew() {
    bool was_changing = !inner_.try_lock();
    if constexpr (requires { inner_.try_lock_shared(); })
      was_changing = was_changing && !inner_.try_lock_shared();
    // The old mutex is not destroyed, since destroying a locked one is undefined.
    std::construct_at(&inner_);
    return was_changing;
  }

  Inner inner_;
  detail::ForkGeneration generation_;
};

using Mutex = ForkSafe<std::mutex>;
using SharedMutex = ForkSafe<std::shared_mutex>;

/// A mutex for data of the whole process. A fork waits until no other thread has locked it, so its
/// data is consistent in the new process. Never destroyed, and only locked for short times.
class GlobalMutex {
 public:
  GlobalMutex();
  GlobalMutex(const GlobalMutex&) = delete;
  GlobalMutex& operator=(const GlobalMutex&) = delete;

  void lock() {
    if (fork_waits.load(std::memory_order_relaxed)) let_the_fork_go_first();
    inner_.lock();
  }
  bool try_lock() { return inner_.try_lock(); }
  void unlock() { inner_.unlock(); }

 private:
  friend class AtFork;

  /// Waits only a moment, since this thread may have locked another mutex for which the fork waits.
  static void let_the_fork_go_first();

  static inline std::atomic<bool> fork_waits = false;

  std::mutex inner_;
};

}  // namespace onecast
