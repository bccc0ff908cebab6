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
  Time granted;  // when the client learns of it; it cannot be revoked earlier
};

// Returns `range` extended to whole pages, the unit of locks.
Range whole_pages(Range range);

// The locks that clients hold on the bytes of one object. Readers share a lock; a writer holds it
// alone.
class ExtentLocks {
 public:
  // Returns the lock of `client` that covers `pages`, or nothing.
  const ExtentLock* match(std::uint32_t client, LockMode mode, Range pages) const;
  // Grants a lock on at least `pages` and returns the locks revoked from other clients for it. The
  // lock extends to the next conflicting lock, so that a lone client asks only once.
  std::vector<ExtentLock> enqueue(std::uint32_t client, LockMode mode, Range pages);
  // Revokes all that other clients hold on `pages`.
  std::vector<ExtentLock> revoke_others(std::uint32_t client, LockMode mode, Range pages);
  // Sets the time at which the client learns of the lock enqueued last.
  void set_granted(Time granted) { locks_.back().granted = granted; }
  // Returns the largest lock of `client` that contains `pages`; `pages` if there is none.
  Range held(std::uint32_t client, Range pages) const;

 private:
  Range grow(std::uint32_t client, LockMode mode, Range pages) const;

  std::vector<ExtentLock> locks_;
};

}  // namespace onecast::lab
