#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace onecast::events {

/// A task, which does not throw and waits for nothing.
using Task = std::function<void()>;

/// Runs tasks. The destructor returns when all of them have run.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  virtual void spawn(Task task) = 0;
};

/// Returns an executor with threads that compute.
std::unique_ptr<Executor> computing_threads(std::size_t threads);

/// Returns an executor with one thread, whose tasks may wait for a disk.
std::unique_ptr<Executor> waiting_thread();

}  // namespace onecast::events
