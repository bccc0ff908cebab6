#pragma once

#include <cstddef>

namespace onecast::test {

/// As long as it lives, new[] of `size` bytes or more fails in this process.
class RefuseMemory {
 public:
  explicit RefuseMemory(std::size_t size);
  RefuseMemory(const RefuseMemory&) = delete;
  RefuseMemory& operator=(const RefuseMemory&) = delete;
  ~RefuseMemory();
};

}  // namespace onecast::test
