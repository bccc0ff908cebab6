#include "file_locks.hpp"

#include <algorithm>

namespace onecast::lab {

bool FileLock::conflicts(const FileLock& other) const {
  return kind == other.kind && !same_owner(other) && range.overlaps(other.range) &&
         (mode == FileLockMode::kExclusive || other.mode == FileLockMode::kExclusive);
}

std::optional<FileLock> FileLocks::conflict(std::uint64_t inode, const FileLock& wanted) const {
  const auto found = held_.find(inode);
  if (found == held_.end() || wanted.mode == FileLockMode::kUnlock) return std::nullopt;
  for (const FileLock& lock : found->second) {
    if (lock.conflicts(wanted)) return lock;
  }
  return std::nullopt;
}

void FileLocks::set(std::uint64_t inode, const FileLock& wanted) {
  std::vector<FileLock>& locks = held_[inode];
  std::vector<FileLock> kept;
  for (const FileLock& lock : locks) {
    if (!lock.same_owner(wanted) || !lock.range.overlaps(wanted.range)) {
      kept.push_back(lock);
      continue;
    }
    // The parts of an older lock of the same owner beside the new range stay.
    FileLock before = lock;
    before.range.end = wanted.range.start;
    if (before.range.size() > 0) kept.push_back(before);
    FileLock behind = lock;
    behind.range.start = wanted.range.end;
    if (behind.range.size() > 0) kept.push_back(behind);
  }
  if (wanted.mode != FileLockMode::kUnlock) kept.push_back(wanted);
  locks = std::move(kept);
  if (locks.empty()) held_.erase(inode);
}

void FileLocks::release(std::uint64_t inode, const FileLock& owner) {
  FileLock all = owner;
  all.mode = FileLockMode::kUnlock;
  all.range = {0, UINT64_MAX};
  set(inode, all);
}

void FileLocks::wait(std::uint64_t inode, const FileLock& wanted, Key key) {
  waiting_.push_back({inode, wanted, key});
}

bool FileLocks::give_up(Key key) {
  return std::erase_if(waiting_, [&](const Waiting& one) { return one.key == key; }) > 0;
}

std::vector<FileLocks::Key> FileLocks::grant(std::uint64_t inode) {
  std::vector<Key> granted;
  std::erase_if(waiting_, [&](const Waiting& one) {
    if (one.inode != inode || conflict(inode, one.lock)) return false;
    set(inode, one.lock);
    granted.push_back(one.key);
    return true;
  });
  return granted;
}

}  // namespace onecast::lab
