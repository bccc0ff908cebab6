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

/// A file that a signal that ends the process at once removes first, with its journal; empty: none.
void remove_at_signal(const std::string& path);

/// While it is there, SIGINT, SIGTERM and SIGHUP end the process at once.
class EndBySignal {
 public:
  EndBySignal();
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal();
};

}  // namespace onecast::events
