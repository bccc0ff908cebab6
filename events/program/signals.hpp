#pragma once

#include <atomic>
#include <string>

namespace onecast::events {

/// During its lifetime, SIGINT and SIGTERM ask the job to end as at the end of its source. A second
/// signal that arrives much later, because the job takes too long to end, ends the process. Only
/// one exists at a time.
class StopBySignal {
 public:
  /// @param speaks prints to standard error that the job still waits, and that it was ended
  explicit StopBySignal(bool speaks);
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;
  ~StopBySignal();

  [[nodiscard]] const std::atomic<bool>& requested() const;
};

/// Names a file that is removed, with its journal, when a signal ends the process at once. Empty:
/// none.
void remove_at_signal(const std::string& path);

/// During its lifetime, SIGINT, SIGTERM and SIGHUP end the process at once.
class EndBySignal {
 public:
  EndBySignal();
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal();
};

}  // namespace onecast::events
