#include "objects/arena.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace onecast {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + kLargePage - 1) / kLargePage * kLargePage;
}

/// Files with few objects must not take a large page.
constexpr bool is_large(std::size_t bytes) { return bytes >= kLargePage / 2; }

}  // namespace

void* LargePages::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t{alignment});
  void* memory = std::aligned_alloc(kLargePage, rounded(bytes));
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // A wish: where the system does not grant it, pages are small as ever.
  static_cast<void>(madvise(memory, rounded(bytes), MADV_HUGEPAGE));
#endif
  return memory;
}

void LargePages::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  if (is_large(bytes))
    std::free(memory);
  else
    ::operator delete(memory, bytes, std::align_val_t{alignment});
}

}  // namespace onecast
