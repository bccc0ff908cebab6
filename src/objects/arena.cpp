#include "objects/arena.hpp"

#include "base/large_pages.hpp"

namespace onecast {

// Files with few objects take no large page: an arena begins small and doubles.
void* LargePages::do_allocate(std::size_t bytes, std::size_t alignment) {
  return bytes < kLargeFrom ? ::operator new(bytes, std::align_val_t{alignment})
                            : allocate_large(bytes);
}

void LargePages::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLargeFrom)
    ::operator delete(memory, bytes, std::align_val_t{alignment});
  else
    free_large(memory);
}

}  // namespace onecast
