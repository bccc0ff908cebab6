#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

/// A mutex of one process: after a fork it is free in the new process, even if a thread held it.
class OwnMutex {
 public:
  void lock() {
    for (pid_t seen = process_; seen != getpid(); seen = process_) renew(seen);
    inner_.lock();
  }
  void unlock() { inner_.unlock(); }

 private:
  void renew(pid_t seen) {
    // One thread of this process renews it while the others wait.
    if (seen != -getpid() && process_.compare_exchange_strong(seen, -getpid())) {
      std::construct_at(&inner_);
      process_ = getpid();
    }
    std::this_thread::yield();
  }

  std::mutex inner_;
  std::atomic<pid_t> process_ = getpid();
};
