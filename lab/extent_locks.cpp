#include "extent_locks.hpp"

#include <algorithm>

namespace onecast::lab {
namespace {

// Lustre limits the growth of locks if many clients compete for one object: above the first number
// of conflicting locks, a lock grows only upwards; above the second, only to a limited size.
constexpr std::size_t kGrowDownwardsLocks = 4;
constexpr std::size_t kGrowFreelyLocks = 32;
constexpr std::uint64_t kLimitedGrowth = 32 << 20;

bool conflicts(const ExtentLock& lock, std::uint32_t client, LockMode mode) {
  return lock.client != client && (lock.mode == LockMode::kWrite || mode == LockMode::kWrite);
}

}  // namespace

Range whole_pages(Range range) {
  const std::uint64_t end =
      range.end > kEof - kPageSize ? kEof : (range.end + kPageSize - 1) / kPageSize * kPageSize;
  return {range.start / kPageSize * kPageSize, end};
}

const ExtentLock* ExtentLocks::match(std::uint32_t client, LockMode mode, Range pages) const {
  const auto found = std::find_if(locks_.begin(), locks_.end(), [&](const ExtentLock& lock) {
    return lock.client == client && lock.mode >= mode && lock.range.contains(pages);
  });
  return found == locks_.end() ? nullptr : &*found;
}

std::vector<ExtentLock> ExtentLocks::enqueue(std::uint32_t client, LockMode mode, Range pages) {
  std::vector<ExtentLock> revoked = revoke_others(client, mode, pages);
  const Range granted = grow(client, mode, pages);
  std::erase_if(locks_, [&](const ExtentLock& lock) {
    return lock.client == client && lock.mode <= mode && granted.contains(lock.range);
  });
  locks_.push_back({client, mode, granted, {}});
  return revoked;
}

std::vector<ExtentLock> ExtentLocks::revoke_others(std::uint32_t client, LockMode mode,
                                                   Range pages) {
  std::vector<ExtentLock> revoked;
  std::erase_if(locks_, [&](const ExtentLock& lock) {
    const bool taken = conflicts(lock, client, mode) && lock.range.overlaps(pages);
    if (taken) revoked.push_back(lock);
    return taken;
  });
  return revoked;
}

Range ExtentLocks::held(std::uint32_t client, Range pages) const {
  Range largest = pages;
  for (const ExtentLock& lock : locks_) {
    const bool better = lock.client == client && lock.range.contains(largest);
    if (better) largest = lock.range;
  }
  return largest;
}

Range ExtentLocks::grow(std::uint32_t client, LockMode mode, Range pages) const {
  Range grown{0, kEof};
  std::size_t competing = 0;
  for (const ExtentLock& lock : locks_) {
    if (!conflicts(lock, client, mode)) continue;
    ++competing;
    if (lock.range.end <= pages.start) grown.start = std::max(grown.start, lock.range.end);
    if (lock.range.start >= pages.end) grown.end = std::min(grown.end, lock.range.start);
  }
  if (competing > kGrowDownwardsLocks) grown.start = pages.start;
  if (competing > kGrowFreelyLocks && mode == LockMode::kWrite) {
    grown.end = std::min(grown.end, std::max(pages.end, pages.start + kLimitedGrowth));
  }
  return grown;
}

}  // namespace onecast::lab
