#pragma once

#include <optional>
#include <vector>

#include "extent_locks.hpp"
#include "ranges.hpp"

namespace onecast::lab {

// When the OSTs were at work since `start`, in nanoseconds behind it.
class BusyTimes {
 public:
  struct Ost {
    std::uint64_t busy = 0;
    std::vector<Range> intervals;  // as far as there was room for them
  };

  BusyTimes(std::size_t osts, Time start) : start_(start), osts_(osts) {}

  // One OST works from `begin` to `end`, after all that it did before. What is added later begins
  // at `settled` or after.
  void add(std::uint32_t ost, Time begin, Time end, Time settled);

  const std::vector<Ost>& osts() const { return osts_; }
  // In which any OST was busy.
  std::uint64_t any() const { return settled_ + open_.size(); }
  // Of that time, the mean share of the OSTs that were busy; nothing where no time passed.
  std::optional<double> balance() const;

 private:
  std::uint64_t since_start(Time time) const;

  Time start_;
  std::vector<Ost> osts_;
  std::size_t kept_ = 0;       // intervals of all OSTs
  RangeSet open_;              // when any was busy, to which more may come
  std::uint64_t settled_ = 0;  // the time before that
};

}  // namespace onecast::lab
