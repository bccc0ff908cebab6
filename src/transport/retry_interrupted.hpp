#pragma once

#include <cerrno>

#include "base/namespaces.hpp"

namespace onecast::transport {

/// Returns the result of a system call, which is repeated while a signal interrupts it.
template <typename Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace onecast::transport
