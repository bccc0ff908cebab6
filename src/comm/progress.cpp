#include "comm/progress.hpp"

#include <system_error>
#include <utility>

namespace onecast::comm {

const Progress*& Progress::running() {
  static thread_local const Progress* now = nullptr;
  return now;
}

Progress::~Progress() {
  if (was_forked()) {
    [[maybe_unused]] const Queue* const left_behind = queue_.release();
    return;
  }
  {
    const std::scoped_lock lock(queue_->mutex);
    queue_->ends = true;
  }
  queue_->changed.notify_all();
  if (queue_->thread.joinable()) queue_->thread.join();
}

bool Progress::was_forked() const { return queue_->process != getpid(); }

bool Progress::is_lost(std::uint64_t number) const {
  if (number >= first_lost_ && number <= last_lost_) return true;
  return !is_done(number) && was_forked();
}

bool Progress::has_thread() {
  if (queue_->thread.joinable()) return true;
  try {
    queue_->thread = std::thread([this] { run(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

std::uint64_t Progress::begin(Work work) {
  if (was_forked()) {
    [[maybe_unused]] const Queue* const left_behind = queue_.release();
    queue_ = std::make_unique<Queue>();
    first_lost_ = done_ + 1;
    last_lost_ = begun_;
    done_ = last_lost_;
  }
  std::unique_lock lock(queue_->mutex);
  if (!has_thread()) {
    lock.unlock();
    work();
    return 0;
  }
  queue_->waiting.push(std::move(work));
  const std::uint64_t number = begun_.fetch_add(1, std::memory_order_relaxed) + 1;
  lock.unlock();
  queue_->changed.notify_all();
  return number;
}

void Progress::wait(std::uint64_t number) {
  if (is_done(number) || was_forked()) return;
  std::unique_lock lock(queue_->mutex);
  queue_->changed.wait(lock, [&] { return is_done(number); });
}

void Progress::run() {
  running() = this;
  Queue& queue = *queue_;
  std::unique_lock lock(queue.mutex);
  while (true) {
    queue.changed.wait(lock, [&] { return queue.ends || !queue.waiting.empty(); });
    if (queue.waiting.empty()) return;
    Work work = std::move(queue.waiting.front());
    queue.waiting.pop();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    done_.fetch_add(1, std::memory_order_release);
    queue.changed.notify_all();
  }
}

}  // namespace onecast::comm
