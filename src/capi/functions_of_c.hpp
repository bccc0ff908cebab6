#pragma once

#include <string>
#include <system_error>

#include "onecast/base/error.hpp"

namespace onecast::capi {

/// Throws the exception for the return value of a function of the C program: 0, an errno value, or
/// -1.
inline void check_function(int status) {
  if (status > 0) throw std::system_error(status, std::generic_category());
  if (status < 0) throw Error(ErrorCode::io, "the function returned " + std::to_string(status));
}

}  // namespace onecast::capi
