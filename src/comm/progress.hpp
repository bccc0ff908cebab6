#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
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
  void wait(std::uint64_t number);
  /// Waits for all that was begun; not where that is what asks.
  void wait_for_all() {
    if (!is_idle() && running() != this) wait(begun_.load(std::memory_order_relaxed));
  }

 private:
  /// Whose work this thread does; null of all other threads.
  static const Progress*& running();
  bool has_thread();
  void run();

  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::queue<Work> waiting_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace onecast::comm
