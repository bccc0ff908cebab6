#include <deque>
#include <thread>

#include "execution/executor.hpp"

namespace onecast::events {
namespace {

class WaitingThread final : public Executor {
 public:
  WaitingThread() : thread_([this] { work(); }) {}
  WaitingThread(const WaitingThread&) = delete;
  WaitingThread& operator=(const WaitingThread&) = delete;
  ~WaitingThread() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  // The lock is held to the end because the task may end this object.
  void spawn(Task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool ends_ = false;
  std::thread thread_;  // last, since it uses the others
};

}  // namespace

std::unique_ptr<Executor> waiting_thread() { return std::make_unique<WaitingThread>(); }

}  // namespace onecast::events
