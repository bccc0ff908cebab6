#pragma once

#include <chrono>
#include <thread>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// The pauses of a rank between two tests for something that has not arrived. Ranks, or the threads
/// of their programs, may outnumber cores, so a rank tests, then yields, and after a millisecond
/// sleeps. Thus it takes little time from the ranks for which it waits, and is late by a twentieth
/// of the time it waited.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  void pause() {
    constexpr unsigned kBeforeYielding = 64;
    constexpr std::chrono::milliseconds kBeforeSleeping(1);
    constexpr std::chrono::microseconds kPause(50);
    if (++looks_ < kBeforeYielding) return;
    if (waited() < kBeforeSleeping)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kPause);
  }
  [[nodiscard]] Clock::time_point since() const { return since_; }
  [[nodiscard]] Clock::duration waited() const { return Clock::now() - since_; }

 private:
  unsigned looks_ = 0;
  Clock::time_point since_ = Clock::now();
};

}  // namespace onecast::comm
