#pragma once

#include <cstdint>
#include <vector>

#include "onecast/events/component.hpp"

namespace onecast::events {

/// Gives synthetic events their identities: runs of lumis of events, each counted from 1.
class Numbering {
 public:
  static std::vector<OptionInfo> options();
  explicit Numbering(const Options& options);

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] Identity operator()(std::uint64_t entry) const;

 private:
  std::uint64_t events_, in_lumi_, in_run_, first_;
};

}  // namespace onecast::events
