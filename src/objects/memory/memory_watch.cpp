#include "objects/memory/memory_watch.hpp"

#include <utility>

namespace onecast::memory {

void MemoryWatch::note_flushed(std::uint64_t bytes) {
  note(bytes);
  now_ = bytes;
  if (std::exchange(forgot_at_last_flush_, false)) of_one_flush_ = grown();
}

bool MemoryWatch::is_time_to_forget(std::uint64_t budget) const {
  // The memory of a session that always creates and looks up new objects stays bounded, however
  // long it lasts; a session that needs the same objects at every flush does not read them again
  // and again.
  constexpr std::uint64_t kLittle = std::uint64_t{8} << 20U;
  const std::uint64_t most = limit(budget);
  const bool too_much = now_ > most && grown() > most / 4;
  return too_much || grown() > std::max({kLittle, 3 * of_one_flush_, remained_ / 2});
}

std::uint64_t MemoryWatch::limit(std::uint64_t budget) const {
  return std::max(budget / 8 * 3, brought_ + budget / 4);
}

void MemoryWatch::note_forgotten(std::uint64_t left, bool images) {
  if (images) brought_ = 0;
  remained_ = left;
  forgot_at_last_flush_ = true;
}

std::uint64_t MemoryWatch::grown() const { return now_ - std::min(now_, remained_); }

}  // namespace onecast::memory
