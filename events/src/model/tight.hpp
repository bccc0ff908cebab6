#pragma once

#include <cstddef>
#include <vector>

namespace onecast::events {

/// As memory.resize(size), which may take twice as much memory as that: of bytes that are used
/// again and again for pieces of nearly equal sizes.
inline void resize_tightly(std::vector<std::byte>& memory, std::size_t size) {
  if (memory.capacity() < size) memory.reserve(size + size / 8);
  memory.resize(size);
}

}  // namespace onecast::events
