#include "comm/progress.hpp"

#include <system_error>
#include <utility>

namespace onecast::comm {

const Progress*& Progress::running() {
  static thread_local const Progress* now = nullptr;
  return now;
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Progress::has_thread() {
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { run(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

std::uint64_t Progress::begin(Work work) {
  std::unique_lock lock(mutex_);
  if (!has_thread()) {
    lock.unlock();
    work();
    return 0;
  }
  waiting_.push(std::move(work));
  const std::uint64_t number = begun_.fetch_add(1, std::memory_order_relaxed) + 1;
  lock.unlock();
  changed_.notify_all();
  return number;
}

void Progress::wait(std::uint64_t number) {
  if (is_done(number)) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_done(number); });
}

void Progress::run() {
  running() = this;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Work work = std::move(waiting_.front());
    waiting_.pop();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    done_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }
}

}  // namespace onecast::comm
