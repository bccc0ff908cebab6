#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace onecast::events {

/// Something to do. It does not throw, and it waits for nothing.
using Task = std::function<void()>;

/// Where tasks run. The destructor returns when all of them have.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  virtual void spawn(Task task) = 0;
};

/// Threads that compute.
std::unique_ptr<Executor> computing_threads(std::size_t threads);

/// One thread, whose tasks may wait for a disk.
std::unique_ptr<Executor> waiting_thread();

}  // namespace onecast::events
