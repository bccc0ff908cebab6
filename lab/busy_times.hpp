#pragma once

#include <optional>
#include <vector>

#include "extent_locks.hpp"
#include "ranges.hpp"

namespace onecast::lab {

// Records when the OSTs were busy, in nanoseconds since `start`.
class BusyTimes {
 public:
  struct Ost {
    std::uint64_t busy = 0;
    std::vector<Range> intervals;  // as far as there was space for them
  };

  BusyTimes(std::size_t osts, Time start) : start_(start), osts_(osts) {}

  // Adds that an OST works from `begin` to `end`, after all earlier work. Later additions begin at
  // `past` or after it.
  void add(std::uint32_t ost, Time begin, Time end, Time past);

  const std::vector<Ost>& osts() const { return osts_; }
  // Returns the time in which any OST was busy.
  std::uint64_t any() const { return past_ + open_.size(); }
  // Returns the mean share of busy OSTs in that time; nothing if no time passed.
  std::optional<double> balance() const;

 private:
  std::uint64_t since_start(Time time) const;

  Time start_;
  std::vector<Ost> osts_;
  std::size_t kept_ = 0;    // stored intervals of all OSTs
  RangeSet open_;           // times in which any OST was busy, which may still grow
  std::uint64_t past_ = 0;  // the time before that
};

}  // namespace onecast::lab
