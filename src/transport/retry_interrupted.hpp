#pragma once

#include <cerrno>

namespace onecast {

/// What a system call returns, made again as long as a signal interrupts it.
template <typename Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace onecast
