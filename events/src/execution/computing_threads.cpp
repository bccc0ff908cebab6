#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <deque>

#include "execution/executor.hpp"

namespace onecast::events {
namespace {

class ComputingThreads final : public Executor {
 public:
  // The calling thread counts in the limit, but runs no tasks.
  explicit ComputingThreads(std::size_t threads)
      : most_(tbb::global_control::max_allowed_parallelism, threads + 1),
        arena_(static_cast<int>(threads), 0) {}
  ComputingThreads(const ComputingThreads&) = delete;
  ComputingThreads& operator=(const ComputingThreads&) = delete;
  ~ComputingThreads() override {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
  }

  // Tasks are handed over here, not within oneTBB, which the thread sanitizer does not understand.
  void spawn(Task task) override {
    const std::lock_guard lock(mutex_);
    ++running_;
    tasks_.push_back(std::move(task));
    arena_.enqueue([this]() __attribute__((no_sanitize("thread"))) { run_next(); });
  }

 private:
  void run_next() {
    std::unique_lock lock(mutex_);
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
    if (--running_ == 0) idle_.notify_all();
  }

  tbb::global_control most_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<Task> tasks_;
  std::size_t running_ = 0;
};

}  // namespace

std::unique_ptr<Executor> computing_threads(std::size_t threads) {
  return std::make_unique<ComputingThreads>(threads);
}

}  // namespace onecast::events
