#include "busy_times.hpp"

namespace onecast::lab {
namespace {

constexpr std::size_t kMostIntervals = 4096;

}  // namespace

void BusyTimes::add(std::uint32_t ost, Time begin, Time end, Time past) {
  const Range busy{since_start(begin), since_start(end)};
  if (busy.size() == 0) return;
  Ost& of = osts_[ost];
  of.busy += busy.size();
  if (!of.intervals.empty() && of.intervals.back().end == busy.start) {
    of.intervals.back().end = busy.end;
  } else if (kept_ < kMostIntervals) {
    of.intervals.push_back(busy);
    ++kept_;
  }
  open_.add(busy);
  const std::uint64_t before = open_.size();
  open_.remove({0, since_start(past)});
  past_ += before - open_.size();
}

std::optional<double> BusyTimes::balance() const {
  if (any() == 0) return std::nullopt;
  std::uint64_t busy = 0;
  for (const Ost& ost : osts_) busy += ost.busy;
  return static_cast<double>(busy) / static_cast<double>(osts_.size() * any());
}

std::uint64_t BusyTimes::since_start(Time time) const {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time - start_).count());
}

}  // namespace onecast::lab
