#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "ranges.hpp"

namespace onecast::lab {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

constexpr std::uint64_t kPageSize = 4096;

enum class LockMode : std::uint8_t { kRead, kWrite };

struct ExtentLock {
  std::uint32_t client = 0;
  LockMode mode = LockMode::kRead;
  Range range;
  Time granted;  // when the client hears of it; it cannot be called back before
};

// `range` grown to whole pages, the unit of locks.
Range whole_pages(Range range);

// The locks that clients hold on the bytes of one object. Readers share, a writer is alone.
class ExtentLocks {
 public:
  // What `client` has already of what it needs, or nothing.
  const ExtentLock* match(std::uint32_t client, LockMode mode, Range pages) const;
  // Grants a lock on at least `pages` and returns those taken away for it from other clients.
  // What is granted reaches to the next conflicting lock, so that a lone client asks only once.
  std::vector<ExtentLock> enqueue(std::uint32_t client, LockMode mode, Range pages);
  // Takes away all that other clients hold on `pages`.
  std::vector<ExtentLock> revoke_others(std::uint32_t client, LockMode mode, Range pages);
  // The lock that was enqueued last is known to its client at that time.
  void set_granted(Time granted) { locks_.back().granted = granted; }
  // The largest lock of `client` that contains `pages`; `pages` if there is none.
  Range held(std::uint32_t client, Range pages) const;

 private:
  Range grow(std::uint32_t client, LockMode mode, Range pages) const;

  std::vector<ExtentLock> locks_;
};

}  // namespace onecast::lab
