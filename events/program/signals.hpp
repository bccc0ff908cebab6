#pragma once

#include <atomic>
#include <string>

namespace onecast::events {

/// While it is there, SIGINT and SIGTERM ask the job to end as at the end of its source. One that
/// comes much later, when that takes too long, ends the process. Only one at a time.
class StopBySignal {
 public:
  /// @param speaks says on standard error that the job still waits, and that it was ended
  explicit StopBySignal(bool speaks);
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;
  ~StopBySignal();

  [[nodiscard]] const std::atomic<bool>& requested() const;
};

/// A file that a signal that ends the process removes first, with its journal: SIGINT, SIGTERM,
/// SIGHUP. One at a time, in a process of one job.
class RemovedBySignal {
 public:
  explicit RemovedBySignal(const std::string& path);
  RemovedBySignal(const RemovedBySignal&) = delete;
  RemovedBySignal& operator=(const RemovedBySignal&) = delete;
  ~RemovedBySignal();
};

}  // namespace onecast::events
