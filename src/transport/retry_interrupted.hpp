#pragma once

#include <cerrno>

#include "base/namespaces.hpp"

namespace onecast::transport {

/// What a system call returns, made again as long as a signal interrupts it.
template <typename Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace onecast::transport
