#pragma once

#include <deque>
#include <mutex>
#include <utility>

#include "execution/executor.hpp"

namespace onecast::events {

/// Runs tasks one at a time, in the order in which they are pushed. push() does not wait. The
/// executor must end before the queue.
class SerialQueue {
 public:
  explicit SerialQueue(Executor& executor) : executor_(executor) {}

  void push(Task task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      if (std::exchange(is_running_, true)) return;
    }
    executor_.spawn([this] { run(); });
  }

 private:
  void run() {
    for (;;) {
      Task task;
      {
        const std::lock_guard lock(mutex_);
        if (tasks_.empty()) return void(is_running_ = false);
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  Executor& executor_;
  std::mutex mutex_;
  std::deque<Task> tasks_;
  bool is_running_ = false;
};

}  // namespace onecast::events
