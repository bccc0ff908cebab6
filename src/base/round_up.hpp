#pragma once

#include <concepts>
#include <type_traits>

namespace onecast {

/// The smallest multiple of `multiple` that is at least `value`.
template <std::unsigned_integral Number>
constexpr Number round_up(Number value, std::type_identity_t<Number> multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace onecast
