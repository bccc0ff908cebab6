#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/elapsed.hpp"
#include "base/namespaces.hpp"
#include "onecast/transport/io_stats.hpp"

namespace onecast::transport {

/// One call for a file: counts it, and adds its lifetime to the time spent in calls, also if it
/// fails. Several threads may make calls at the same time.
class CountedCall {
 public:
  using Count = std::uint64_t IoStats::*;

  CountedCall(IoStats& stats, Count calls) : stats_(stats) { add(calls, 1); }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() { add(&IoStats::file_nanoseconds, nanoseconds_since(start_)); }

  /// Adds to another count, such as that of the bytes.
  void add(Count count, std::uint64_t n) const {
    std::atomic_ref(stats_.*count).fetch_add(n, std::memory_order_relaxed);
  }

 private:
  IoStats& stats_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace onecast::transport
