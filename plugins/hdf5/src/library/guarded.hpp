#pragma once

#include <type_traits>

#include "trace/watch.hpp"

namespace onecast_hdf5 {

/// What the library takes for a failure of a call: null, or a negative status.
template <class Result>
constexpr Result failure() {
  if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else
    return -1;
}

template <auto Callback>
struct Guard;
template <class R, class... Args, R (*Callback)(Args...)>
struct Guard<Callback> {
  static R call(Args... args) noexcept {
    const Watch now;
    try {
      return Callback(args...);
    } catch (...) {
      return failure<R>();
    }
  }
};

/// A callback as the library may call it: if an exception leaves the given one, as when there is
/// not enough memory for a handle, the call fails. The library then says what it could not do.
template <auto Callback>
constexpr auto kGuarded = &Guard<Callback>::call;

}  // namespace onecast_hdf5
