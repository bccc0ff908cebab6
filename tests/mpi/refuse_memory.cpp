#include "refuse_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kNothing = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> refused_from = kNothing;

}  // namespace

void* operator new[](std::size_t size) {
  void* const p = size < refused_from ? std::malloc(size != 0 ? size : 1) : nullptr;
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  void* const p =
      size < refused_from ? std::aligned_alloc(static_cast<std::size_t>(alignment), size) : nullptr;
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete[](void* p, std::align_val_t /*alignment*/) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t /*size*/) noexcept { std::free(p); }

namespace onecast::test {

RefuseMemory::RefuseMemory(std::size_t size) { refused_from = size; }
RefuseMemory::~RefuseMemory() { refused_from = kNothing; }

}  // namespace onecast::test
