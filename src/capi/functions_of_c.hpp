#pragma once

#include <string>
#include <system_error>

#include "onecast/base/error.hpp"

namespace onecast::capi {

/// What a function of the C program returned: 0, errno, or -1. Throws what stands for it.
inline void check_function(int status) {
  if (status > 0) throw std::system_error(status, std::generic_category());
  if (status < 0) throw Error(ErrorCode::io, "the function returned " + std::to_string(status));
}

}  // namespace onecast::capi
