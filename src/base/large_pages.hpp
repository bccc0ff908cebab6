#pragma once

#include <cstddef>

namespace onecast {

/// Memory of at least a MiB, on large pages where the system has them: a page fault for every 4 KiB
/// is what reading metadata would otherwise spend most of its time on. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

/// Below this size, memory comes from where all memory comes from.
inline constexpr std::size_t kLargeFrom = std::size_t{1} << 20U;

}  // namespace onecast
