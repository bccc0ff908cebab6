#pragma once

#include <algorithm>
#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// How much memory the metadata of an open file takes from flush to flush, and when it is so much
/// that what could be read again should be forgotten.
class MemoryWatch {
 public:
  /// So much was in memory when the file was opened.
  void note_opened(std::uint64_t bytes) { brought_ = bytes; }
  void note(std::uint64_t bytes) { most_ = std::max(most_, bytes); }
  /// The most that was noted.
  [[nodiscard]] std::uint64_t most() const { return most_; }

  /// It takes so much after a flush.
  void note_flushed(std::uint64_t bytes);
  /// Is that enough to forget what can be read again? `budget`: option metadata_budget.
  [[nodiscard]] bool is_time_to_forget(std::uint64_t budget) const;
  /// More than this is too much for the budget.
  [[nodiscard]] std::uint64_t limit(std::uint64_t budget) const;
  /// So much is left. `images`: metadata as it is in the file was forgotten, too.
  void note_forgotten(std::uint64_t left, bool images);

 private:
  /// Since all was forgotten.
  [[nodiscard]] std::uint64_t grown() const;

  std::uint64_t brought_ = 0;  ///< in memory when it was opened
  std::uint64_t most_ = 0;
  std::uint64_t now_ = 0;             ///< after the last flush
  std::uint64_t remained_ = 0;        ///< after the last time all was forgotten
  std::uint64_t of_one_flush_ = 0;    ///< what came to that with the next flush
  bool forgot_at_last_flush_ = true;  ///< or there was none yet
};

}  // namespace onecast::memory
