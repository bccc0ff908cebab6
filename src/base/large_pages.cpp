#include "base/large_pages.hpp"

#include <sys/mman.h>

#include <new>

#include "base/round_up.hpp"

namespace onecast {

namespace {

constexpr std::align_val_t kAlignment{kLargePage};

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t rounded = round_up(bytes, kLargePage);
  if (rounded < bytes) throw std::bad_alloc();
  void* memory = ::operator new[](rounded, kAlignment);
#ifdef MADV_HUGEPAGE
  // A request, which the system may ignore. A page of which less than three quarters are used is
  // not requested, since the system would clear all of it.
  const std::size_t pages = (bytes + kLargePage / 4) / kLargePage;
  static_cast<void>(madvise(memory, pages * kLargePage, MADV_HUGEPAGE));
#endif
  return memory;
}

void free_large(void* memory) { ::operator delete[](memory, kAlignment); }

}  // namespace onecast
