#pragma once

#include <cstddef>
#include <vector>

namespace onecast::events {

/// Resizes memory that is used again and again for pieces of nearly equal sizes.
/// memory.resize(size) may take twice as much memory as needed.
inline void resize_tightly(std::vector<std::byte>& memory, std::size_t size) {
  if (memory.capacity() < size) memory.reserve(size + size / 8);
  memory.resize(size);
}

}  // namespace onecast::events
