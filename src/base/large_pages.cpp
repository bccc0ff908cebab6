#include "base/large_pages.hpp"

#include <sys/mman.h>

#include <new>

#include "base/round_up.hpp"

namespace onecast {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20U;
constexpr std::align_val_t kAlignment{kPage};

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t rounded = round_up(bytes, kPage);
  if (rounded < bytes) throw std::bad_alloc();
  void* memory = ::operator new[](rounded, kAlignment);
#ifdef MADV_HUGEPAGE
  // A request, which the system may ignore. Only whole large pages are requested, since the system
  // would clear a page that is used in part.
  static_cast<void>(madvise(memory, bytes / kPage * kPage, MADV_HUGEPAGE));
#endif
  return memory;
}

void free_large(void* memory) { ::operator delete[](memory, kAlignment); }

}  // namespace onecast
