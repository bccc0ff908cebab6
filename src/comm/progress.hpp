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

/// Calls that run beside their caller: one after the other, in the order they were made, on one
/// thread, which is started when it is first needed. Any thread may ask; one at a time may begin.
class Progress {
 public:
  using Work = std::function<void()>;

  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// When all is done.
  ~Progress();

  /// `work` must not throw. What it holds is let go of before it counts as done. Returns its
  /// number, from 1 on. Where there can be no thread it runs at once.
  std::uint64_t begin(Work work);
  [[nodiscard]] bool is_done(std::uint64_t number) const {
    return done_.load(std::memory_order_acquire) >= number;
  }
  [[nodiscard]] bool is_idle() const { return is_done(begun_.load(std::memory_order_relaxed)); }
  /// Returns at once in a forked process, where nobody does what was begun before.
  void wait(std::uint64_t number);
  /// Was it begun before this process was forked, and not done? Then it never will be here.
  [[nodiscard]] bool is_lost(std::uint64_t number) const;
  /// Waits for all that was begun; not where that is what asks.
  void wait_for_all() {
    if (!is_idle() && running() != this) wait(begun_.load(std::memory_order_relaxed));
  }

 private:
  /// The thread and what it shares with those who ask. A forked process has it without its thread:
  /// there even its end would wait for ever, so it is left as it is.
  struct Queue {
    std::mutex mutex;  ///< of what follows
    std::condition_variable changed;
    std::queue<Work> waiting;
    bool ends = false;
    std::thread thread;
    const pid_t process = getpid();
  };

  /// Whose work this thread does; null of all other threads.
  static const Progress*& running();
  [[nodiscard]] bool was_forked() const;
  bool has_thread();
  void run();

  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> done_{0};
  std::unique_ptr<Queue> queue_ = std::make_unique<Queue>();
  std::uint64_t first_lost_ = 1;  ///< numbers of what was under way in the process that forked
  std::uint64_t last_lost_ = 0;
};

}  // namespace onecast::comm
