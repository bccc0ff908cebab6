#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "pds/pds_records.hpp"

namespace onecast::events::pds {

/// The places of consecutive records, in 4.5 bytes of memory for each.
class Places {
 public:
  void add(const Entry& entry) {
    if (words_.size() % kStep == 0) offsets_.push_back(entry.offset);
    words_.push_back(entry.start.words);
  }
  /// Returns an entry that has only the count of words of its start.
  [[nodiscard]] Entry entry(std::uint64_t number) const {
    const std::uint64_t known = number / kStep;
    Entry entry{.offset = offsets_[static_cast<std::size_t>(known)], .start = {}};
    auto words = words_.begin() + static_cast<std::ptrdiff_t>(known * kStep);
    for (std::uint64_t i = known * kStep;; ++i, ++words) {
      entry.start.words = *words;
      if (i == number) return entry;
      entry.offset = entry.end();
    }
  }

 private:
  static constexpr std::uint64_t kStep = 32;
  std::deque<std::uint32_t> words_;     // a deque, which copies nothing when it grows
  std::vector<std::uint64_t> offsets_;  ///< of every 32nd record
};

}  // namespace onecast::events::pds
