#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "base/namespaces.hpp"

// Locks in a process that forks. In the new process only the thread that forked goes on; what
// others had locked would stay locked for ever.

namespace onecast {

/// How often this process, and those that it was forked off, have begun to fork.
std::uint32_t forks_so_far();

namespace detail {

/// Grows with each fork that led to this process.
extern std::atomic<std::uint32_t> fork_generation;

/// Which of the locks of a generation have been made ready in this process.
class ForkGeneration {
 public:
  [[nodiscard]] bool is_now() const {
    return known_.load(std::memory_order_acquire) ==
           fork_generation.load(std::memory_order_relaxed);
  }
  /// Calls `renew` once in this process: it returns whether another thread changed what the lock
  /// guards when the process forked. Throws Error (state) if so, whenever it is called.
  template <class Renew>
  void begin(Renew&& renew) {
    const Turn turn;
    if (is_now()) return;
    if (!is_broken_) is_broken_ = renew();
    if (is_broken_) fail();
    known_.store(fork_generation.load(std::memory_order_relaxed), std::memory_order_release);
  }

 private:
  /// One at a time, whatever the lock.
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

/// A mutex of something that belongs to a file. In a forked process it is free. If another thread
/// had it when the process forked, what it guards may be half changed: locking it throws Error
/// (state), so that the file cannot be used there.
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
    // Never destroyed: that of a mutex which is locked means nothing.
    std::construct_at(&inner_);
    return was_changing;
  }

  Inner inner_;
  detail::ForkGeneration generation_;
};

using Mutex = ForkSafe<std::mutex>;
using SharedMutex = ForkSafe<std::shared_mutex>;

/// A mutex of what the whole process has. A fork waits until no other thread has it, so that what
/// it guards is whole in the new process. Never destroyed, and never held for long.
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

  /// For a moment: this thread may have another one that the fork waits for.
  static void let_the_fork_go_first();

  static inline std::atomic<bool> fork_waits = false;

  std::mutex inner_;
};

}  // namespace onecast
