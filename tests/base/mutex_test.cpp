#include "base/mutex.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

#include "onecast/base/error.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

/// Returns the exit status of a forked process: 0 if `work` succeeds there.
int in_a_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // seconds; waiting for a lock would never end
    bool well = false;
    try {
      well = work();
    } catch (...) {
    }
    _exit(well ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

/// Makes another thread hold the lock as long as this object lives.
template <class Lock>
class Held {
 public:
  explicit Held(Lock lock) {
    std::mutex ready;
    ready.lock();
    thread_ = std::thread([this, &ready, held = std::move(lock)]() mutable {
      held.lock();
      ready.unlock();
      ends_.lock();
      held.unlock();
    });
    ready.lock();
    ready.unlock();
  }
  ~Held() {
    ends_.unlock();
    thread_.join();
  }

 private:
  struct Locked : std::mutex {
    Locked() { lock(); }
  };
  Locked ends_;
  std::thread thread_;
};

template <class M>
std::unique_lock<M> alone(M& mutex) {
  return std::unique_lock(mutex, std::defer_lock);
}

TEST(MutexTest, IsFreeInAForkedProcess) {
  Mutex mutex;
  const int status = in_a_child([&] {
    const std::scoped_lock lock(mutex);
    return !mutex.try_lock();
  });
  EXPECT_EQ(status, 0);
}

TEST(MutexTest, IsOfNoUseIfAnotherThreadHadIt) {
  Mutex mutex;
  SharedMutex shared;
  const Held held(alone(mutex));
  const Held held_too(alone(shared));
  const int status = in_a_child([&] {
    for (int twice = 0; twice < 2; ++twice) {
      if (test::thrown_by([&] { mutex.lock(); }).code() != ErrorCode::state) return false;
      if (test::thrown_by([&] { shared.lock_shared(); }).code() != ErrorCode::state) return false;
    }
    return true;
  });
  EXPECT_EQ(status, 0);
}

TEST(MutexTest, IsOfUseIfOthersOnlyRead) {
  SharedMutex mutex;
  const Held held(std::shared_lock(mutex, std::defer_lock));
  const int status = in_a_child([&] {
    const std::scoped_lock lock(mutex);
    return true;
  });
  EXPECT_EQ(status, 0);
}

TEST(MutexTest, ThreadsOfAForkedProcessShareIt) {
  Mutex mutex;
  const int status = in_a_child([&] {
    int count = 0;
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n)
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) {
          const std::scoped_lock lock(mutex);
          ++count;
        }
      });
    for (std::thread& thread : threads) thread.join();
    return count == 40'000;
  });
  EXPECT_EQ(status, 0);
}

TEST(GlobalMutexTest, AForkWaitsForIt) {
  static auto& mutex = *new GlobalMutex;
  static int half = 0;
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) {
      const std::scoped_lock lock(mutex);
      ++half;
      std::this_thread::yield();
      ++half;
    }
  });
  for (int i = 0; i < 50; ++i) {
    const int status = in_a_child([&] {
      const std::scoped_lock lock(mutex);
      return half % 2 == 0;
    });
    EXPECT_EQ(status, 0);
  }
  ends = true;
  other.join();
}

TEST(GlobalMutexTest, AForkDoesNotWaitForItself) {
  static auto& mutex = *new GlobalMutex;
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(in_a_child([&] { return mutex.try_lock(); }), 0);
}

}  // namespace
}  // namespace onecast
