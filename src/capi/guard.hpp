#pragma once

#include <cstddef>
#include <utility>

#include "onecast/base/error.hpp"
#include "onecast/capi/status.h"

namespace onecast::capi {

/// Returns the status for a code, from the table of error kinds (error_kinds.hpp).
onecast_status status_of(ErrorCode code) noexcept;

/// Stores the exception that is being handled as this thread's last error.
onecast_status note_exception() noexcept;

/// Runs `work` and converts exceptions to a status. Every function of the C API that can fail does
/// its work inside, so that no exception reaches the caller.
template <class Work>
onecast_status guard(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    return ONECAST_OK;
  } catch (...) {
    return note_exception();
  }
}

/// Guards a function that returns a count: `*count` is 0 if it fails.
template <class Count, class Work>
onecast_status guard_counting(Count* count, Work&& work) noexcept {
  if (count != nullptr) *count = 0;
  return guard(std::forward<Work>(work));
}

/// Guards a function that makes a handle: `*made` is NULL if it fails.
template <class Made, class Work>
onecast_status guard_making(Made** made, Work&& work) noexcept {
  if (made != nullptr) *made = nullptr;
  return guard(std::forward<Work>(work));
}

/// Guards a function that makes a list: `*made` is NULL and `*count` 0 if it fails.
template <class Made, class Work>
onecast_status guard_listing(Made** made, std::size_t* count, Work&& work) noexcept {
  if (count != nullptr) *count = 0;
  return guard_making(made, std::forward<Work>(work));
}

}  // namespace onecast::capi
