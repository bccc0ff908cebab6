#pragma once

#include <cstddef>
#include <utility>

#include "onecast/base/error.hpp"
#include "onecast/capi/status.h"

namespace onecast::capi {

/// The status that stands for a code, by the table of error kinds (error_kinds.hpp).
onecast_status status_of(ErrorCode code) noexcept;

/// Notes the exception that is being handled as this thread's last error.
onecast_status note_exception() noexcept;

/// Every function of the C API that can fail does its work inside: nothing throws across.
template <class Work>
onecast_status guard(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    return ONECAST_OK;
  } catch (...) {
    return note_exception();
  }
}

/// The same of a function that counts something: `*count` is 0 if it fails.
template <class Count, class Work>
onecast_status guard_counting(Count* count, Work&& work) noexcept {
  if (count != nullptr) *count = 0;
  return guard(std::forward<Work>(work));
}

/// The same of a function that makes something: `*made` is NULL if it fails.
template <class Made, class Work>
onecast_status guard_making(Made** made, Work&& work) noexcept {
  if (made != nullptr) *made = nullptr;
  return guard(std::forward<Work>(work));
}

/// The same of a function that makes a list: `*count` is 0 if it fails, too.
template <class Made, class Work>
onecast_status guard_listing(Made** made, std::size_t* count, Work&& work) noexcept {
  if (count != nullptr) *count = 0;
  return guard_making(made, std::forward<Work>(work));
}

}  // namespace onecast::capi
