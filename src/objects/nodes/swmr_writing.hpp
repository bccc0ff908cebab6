#pragma once

#include <cstdint>

#include "base/namespaces.hpp"

namespace onecast::nodes {

/// How far a file is written for readers that look at it meanwhile (SWMR).
class SwmrWriting {
 public:
  /// The next flush writes as usual, and marks the superblock.
  void start() { phase_ = Phase::starts; }
  /// Flushes write in order from now on, and nothing that was in the file is used for anything
  /// else.
  void note_started() { phase_ = Phase::on; }
  /// The next flush writes as usual, and clears the mark.
  void finish() { phase_ = Phase::finishes; }
  /// The file is written as usual.
  void stop() { phase_ = Phase::off; }

  [[nodiscard]] bool is_off() const { return phase_ == Phase::off; }
  [[nodiscard]] bool starts() const { return phase_ == Phase::starts; }
  [[nodiscard]] bool is_on() const { return phase_ == Phase::on; }
  [[nodiscard]] bool finishes() const { return phase_ == Phase::finishes; }
  /// True if the superblock says so now.
  [[nodiscard]] bool is_marked() const { return is_on() || finishes(); }
  /// True if the superblock says so after the next flush.
  [[nodiscard]] bool stays_marked() const { return starts() || is_on(); }

  /// True if a flush in order failed: the file may be ahead of the store.
  bool is_partly_written = false;

 private:
  enum class Phase : std::uint8_t { off, starts, on, finishes };

  Phase phase_ = Phase::off;
};

}  // namespace onecast::nodes
