#include "synthetic/numbering.hpp"

#include <fmt/format.h>

namespace onecast::events {

std::vector<OptionInfo> Numbering::options() {
  using Kind = OptionInfo::Kind;
  return {{.name = "events",
           .kind = Kind::number,
           .otherwise = "1000",
           .description = "the number of events"},
          {.name = "lumi",
           .kind = Kind::number,
           .otherwise = "1000000",
           .description = "events in a luminosity section"},
          {.name = "run",
           .kind = Kind::number,
           .otherwise = "1000",
           .description = "luminosity sections in a run"},
          {.name = "first",
           .kind = Kind::number,
           .otherwise = "1",
           .description = "the number of the first event"}};
}

Numbering::Numbering(const Options& options)
    : events_(options.number("events")),
      in_lumi_(options.number("lumi")),
      in_run_(options.number("run")),
      first_(options.number("first")) {
  for (const char* name : {"lumi", "run"})
    if (options.number(name) == 0) options.reject(name, "must not be 0");
  if (events_ != 0 && first_ > UINT64_MAX - (events_ - 1))
    options.reject("first", fmt::format("with {} events at most {} was expected, not {}", events_,
                                        UINT64_MAX - (events_ - 1), first_));
}

Identity Numbering::operator()(std::uint64_t entry) const {
  const std::uint64_t lumi = entry / in_lumi_;
  return {static_cast<std::uint32_t>(lumi / in_run_ + 1),
          static_cast<std::uint32_t>(lumi % in_run_ + 1), first_ + entry};
}

}  // namespace onecast::events
