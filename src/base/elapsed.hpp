#pragma once

#include <chrono>
#include <cstdint>

namespace onecast {

inline std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  const auto spent = std::chrono::steady_clock::now() - start;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
}

}  // namespace onecast
