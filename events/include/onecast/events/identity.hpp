#pragma once

#include <compare>
#include <cstdint>

namespace onecast::events {

/// The identity of an event, the same in all formats.
struct Identity {
  std::uint32_t run = 0;
  std::uint32_t lumi = 0;  ///< luminosity section
  std::uint64_t event = 0;

  friend auto operator<=>(const Identity&, const Identity&) = default;
};

}  // namespace onecast::events
