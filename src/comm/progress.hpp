#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// Calls that run beside their caller, one after the other, in the order in which they were made,
/// on one thread, which is started when it is first needed. Any thread may ask for the state; only
/// one at a time may begin a call.
class Progress {
 public:
  using Work = std::function<void()>;

  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Waits until everything is done.
  ~Progress();

  /// Begins `work`, which must not throw, and is destroyed before it counts as done. Returns its
  /// number, from 1 on. Without threads, it runs at once.
  std::uint64_t begin(Work work);
  [[nodiscard]] bool is_done(std::uint64_t number) const {
    return done_.load(std::memory_order_acquire) >= number;
  }
  [[nodiscard]] bool is_idle() const { return is_done(begun_.load(std::memory_order_relaxed)); }
  /// Waits until this work is done. Returns at once in a forked process, where no thread does it.
  void wait(std::uint64_t number);
  /// True if it was begun before this process was forked, and not done: here it never will be.
  [[nodiscard]] bool is_lost(std::uint64_t number) const;
  /// Waits for all work that was begun. Does nothing when called by such work.
  void wait_for_all() {
    if (!is_idle() && running() != this) wait(begun_.load(std::memory_order_relaxed));
  }

 private:
  /// The thread, and what it shares with its callers. A forked process has the queue without the
  /// thread. Even destroying it would wait for ever there, so it is leaked.
  struct Queue {
    std::mutex mutex;  ///< guards what follows
    std::condition_variable changed;
    std::queue<Work> waiting;
    bool ends = false;
    std::thread thread;
    const pid_t process = getpid();
  };

  /// The object whose work this thread does; null in all other threads.
  static const Progress*& running();
  [[nodiscard]] bool was_forked() const;
  bool has_thread();
  void run();

  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> done_{0};
  std::unique_ptr<Queue> queue_ = std::make_unique<Queue>();
  std::uint64_t first_lost_ = 1;  ///< the numbers of work that was under way in the process that
                                  ///< forked
  std::uint64_t last_lost_ = 0;
};

}  // namespace onecast::comm
