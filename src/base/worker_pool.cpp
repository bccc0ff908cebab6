#include "base/worker_pool.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/mutex.hpp"
#include "base/of_process.hpp"

namespace onecast {
namespace {

/// One call of run_parallel.
class Job {
 public:
  Job(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work) {}

  /// Does work until none is left.
  void help() {
    for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      if (!failed_.load(std::memory_order_relaxed)) attempt(i);
      if (done_.fetch_add(1) + 1 == count_) {
        const std::lock_guard lock(mutex_);
        finished_.notify_all();
      }
    }
  }

  void wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return done_.load() == count_; });
    // The error is moved out, since a helper may destroy the job while the caller uses the error.
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void attempt(std::size_t i) {
    try {
      work_(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (i < first_failed_) {
        first_failed_ = i;
        error_ = std::current_exception();
      }
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::condition_variable finished_;
  std::size_t first_failed_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr error_;
};

struct MutexOfCurrent : GlobalMutex {};
GlobalMutex& mutex_of_current() { return of_process<MutexOfCurrent>(); }

/// Threads that wait for work. They are never joined: at the end of a forked child, which has none
/// of them, a join would wait for ever.
class Workers {
 public:
  static Workers& of_this_process() {
    static Workers* current = nullptr;
    const std::lock_guard lock(mutex_of_current());
    if (current == nullptr || current->process_ != getpid()) current = new Workers;
    return *current;
  }

  /// Asks `helpers` threads to help.
  void offer(const std::shared_ptr<Job>& job, unsigned helpers) {
    const std::lock_guard lock(mutex_);
    while (threads_ < helpers && start_thread()) ++threads_;
    for (unsigned i = 0; i < std::min(helpers, threads_); ++i) waiting_.push_back(job);
    helpers == 1 ? wake_.notify_one() : wake_.notify_all();
  }

 private:
  bool start_thread() {
    try {
      std::thread([this] { serve(); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;  // the system has no more threads, so the caller does the work
    }
  }

  [[noreturn]] void serve() {
    for (;;) {
      std::shared_ptr<Job> job;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return !waiting_.empty(); });
        job = std::move(waiting_.front());
        waiting_.pop_front();
      }
      job->help();
    }
  }

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> waiting_;
  unsigned threads_ = 0;
};

}  // namespace

unsigned usable_cores() {
#ifdef CPU_COUNT
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

void run_parallel(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& work) {
  if (count <= 1 || threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const auto helpers = static_cast<unsigned>(std::min<std::size_t>(threads, count) - 1);
  // A helper may begin after all work is done and the caller has returned. The job outlives that,
  // and `work` is not called again.
  const auto job = std::make_shared<Job>(count, work);
  Workers::of_this_process().offer(job, helpers);
  job->help();
  job->wait();
}

}  // namespace onecast
