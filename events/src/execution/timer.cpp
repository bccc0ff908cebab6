#include "execution/timer.hpp"

namespace onecast::events {

Timer::Timer(Executor& executor) : executor_(executor), thread_([this] { work(); }) {}

Timer::~Timer() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

/// The lock is held to the end because the task may end the timer.
void Timer::after(std::chrono::microseconds time, Task task) {
  const std::lock_guard lock(mutex_);
  tasks_.emplace(Clock::now() + time, std::move(task));
  changed_.notify_one();
}

void Timer::work() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (tasks_.empty()) {
      changed_.wait(lock);
    } else if (const auto due = tasks_.begin()->first; Clock::now() < due) {
      changed_.wait_until(lock, due);
    } else {
      Task task = std::move(tasks_.begin()->second);
      tasks_.erase(tasks_.begin());
      lock.unlock();
      executor_.spawn(std::move(task));
      lock.lock();
    }
  }
}

}  // namespace onecast::events
