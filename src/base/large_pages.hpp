#pragma once

#include <cstddef>

namespace onecast {

/// Allocates at least a MiB of memory, on large pages where the system has them: otherwise reading
/// metadata would spend most of its time in page faults, one for every 4 KiB. Throws
/// std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory);

/// The usual size of a large page.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;
/// Smaller allocations use the ordinary allocator.
inline constexpr std::size_t kLargeFrom = std::size_t{1} << 20U;

}  // namespace onecast
