#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "execution/executor.hpp"

namespace onecast::events {
namespace {

class ComputingThreads final : public Executor {
 public:
  // The calling thread counts, and does not take part.
  explicit ComputingThreads(std::size_t threads)
      : most_(tbb::global_control::max_allowed_parallelism, threads + 1),
        arena_(static_cast<int>(threads), 0) {}
  ComputingThreads(const ComputingThreads&) = delete;
  ComputingThreads& operator=(const ComputingThreads&) = delete;
  ~ComputingThreads() override {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
  }

  void spawn(Task task) override {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    arena_.enqueue([this, task = std::move(task)] {
      task();
      const std::lock_guard lock(mutex_);
      if (--running_ == 0) idle_.notify_all();
    });
  }

 private:
  tbb::global_control most_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t running_ = 0;
};

}  // namespace

std::unique_ptr<Executor> computing_threads(std::size_t threads) {
  return std::make_unique<ComputingThreads>(threads);
}

}  // namespace onecast::events
