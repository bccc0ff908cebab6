#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "execution/executor.hpp"

namespace onecast::events {

/// Spawns tasks after a delay; one thread waits for all of them.
class Timer {
 public:
  explicit Timer(Executor& executor);
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  /// Drops the tasks that still wait.
  ~Timer();

  void after(std::chrono::microseconds time, Task task);

 private:
  using Clock = std::chrono::steady_clock;
  void work();

  Executor& executor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, Task> tasks_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace onecast::events
