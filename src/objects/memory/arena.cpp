#include "objects/memory/arena.hpp"

#include <algorithm>

#include "base/large_pages.hpp"
#include "base/round_up.hpp"

namespace onecast::memory {
namespace {

constexpr std::size_t kFirstBlock = std::size_t{64} << 10U;
constexpr std::size_t kAlignment = 8;

}  // namespace

/// Stands at the start of its memory.
struct ArenaMemory::Block {
  Block* before;
  std::size_t size;
  std::atomic<std::size_t> used;
};

void* ArenaMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t extra = alignment > kAlignment ? alignment - kAlignment : 0;
  const std::size_t wanted = round_up(bytes, kAlignment) + extra;
  if (wanted < bytes) throw std::bad_alloc();
  for (;;) {
    Block* block = newest_.load(std::memory_order_acquire);
    if (block != nullptr && wanted <= block->size) {
      const std::size_t at = block->used.fetch_add(wanted, std::memory_order_relaxed);
      if (at <= block->size - wanted) {
        void* place = reinterpret_cast<std::byte*>(block) + at;
        std::size_t room = wanted;
        return std::align(alignment, bytes, place, room);
      }
    }
    grow(block, wanted);
  }
}

// Files with few objects take no large page: an arena begins small and doubles.
void ArenaMemory::grow(const Block* full, std::size_t wanted) {
  const std::scoped_lock lock(growing_);
  Block* before = newest_.load(std::memory_order_relaxed);
  if (before != full) return;  // another thread was quicker
  const std::size_t header = round_up(sizeof(Block), kAlignment);
  const std::size_t size =
      std::max(before == nullptr ? kFirstBlock : 2 * before->size, header + wanted);
  if (size < wanted) throw std::bad_alloc();
  void* memory = size < kLargeFrom ? ::operator new(size) : allocate_large(size);
  newest_.store(new (memory) Block{before, size, header}, std::memory_order_release);
}

std::size_t ArenaMemory::used() const {
  std::size_t bytes = 0;
  for (const Block* block = newest_.load(std::memory_order_acquire); block != nullptr;
       block = block->before)
    bytes += std::min(block->size, block->used.load(std::memory_order_relaxed));
  return bytes;
}

ArenaMemory::~ArenaMemory() {
  for (Block* block = newest_.load(); block != nullptr;) {
    Block* before = block->before;
    block->size < kLargeFrom ? ::operator delete(block) : free_large(block);
    block = before;
  }
}

}  // namespace onecast::memory
