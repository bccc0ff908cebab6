#pragma once

#include <algorithm>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// Tracks how much memory the metadata of an open file takes from flush to flush, and decides when
/// the part that can be read again should be forgotten.
class MemoryWatch {
 public:
  /// Notes the bytes in memory when the file was opened.
  void note_opened(std::uint64_t bytes) { brought_ = bytes; }
  void note(std::uint64_t bytes) { most_ = std::max(most_, bytes); }
  /// Returns the largest noted number.
  [[nodiscard]] std::uint64_t most() const { return most_; }

  /// Notes the bytes in memory after a flush.
  void note_flushed(std::uint64_t bytes);
  /// Returns true if what can be read again should be forgotten. `budget` is the option
  /// metadata_budget.
  [[nodiscard]] bool is_time_to_forget(std::uint64_t budget) const;
  /// Returns the most bytes that the budget allows.
  [[nodiscard]] std::uint64_t limit(std::uint64_t budget) const;
  /// Notes the bytes that are left. `images` is true if stored metadata was forgotten, too.
  void note_forgotten(std::uint64_t left, bool images);

 private:
  /// Returns the growth since everything was forgotten.
  [[nodiscard]] std::uint64_t grown() const;

  std::uint64_t brought_ = 0;  ///< the bytes in memory when the file was opened
  std::uint64_t most_ = 0;
  std::uint64_t now_ = 0;             ///< the bytes after the last flush
  std::uint64_t remained_ = 0;        ///< the bytes after everything was forgotten the last time
  std::uint64_t of_one_flush_ = 0;    ///< the growth by the flush after that
  bool forgot_at_last_flush_ = true;  ///< also true if there was no flush yet
};

}  // namespace onecast::memory
