#pragma once

#include <cstdint>

namespace onecast::events {

/// Divides and rounds up, without overflow.
constexpr std::uint64_t divided(std::uint64_t number, std::uint64_t by) {
  return number / by + (number % by == 0 ? 0 : 1);
}

}  // namespace onecast::events
