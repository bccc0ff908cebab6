#include "objects/memory/arena.hpp"

#include <algorithm>

#include "base/large_pages.hpp"
#include "base/round_up.hpp"

namespace onecast::memory {
namespace {

constexpr std::size_t kFirstBlock = std::size_t{64} << 10U;
constexpr std::size_t kAlignment = 8;

}  // namespace

/// The header at the start of a block's memory.
struct ArenaMemory::Block {
  Block* before;
  std::size_t size;
  std::atomic<std::size_t> used;
};

/// Allocates memory. This is called very often, mostly for small sizes that fit into the block.
void* ArenaMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t wanted = round_up(bytes, kAlignment);
  Block* block = newest_.load(std::memory_order_acquire);
  if (block != nullptr && alignment <= kAlignment && bytes <= wanted && wanted <= block->size) {
    const std::size_t at = block->used.fetch_add(wanted, std::memory_order_relaxed);
    if (at <= block->size - wanted) return reinterpret_cast<std::byte*>(block) + at;
  }
  // A separate function, so that the usual case needs fewer registers.
  const auto in_another = [this](std::size_t size, std::size_t aligned)
                              __attribute__((noinline)) -> void* {
    const std::size_t extra = aligned > kAlignment ? aligned - kAlignment : 0;
    std::size_t room = round_up(size, kAlignment) + extra;
    if (room < size) throw std::bad_alloc();
    for (;;) {
      Block* newest = newest_.load(std::memory_order_acquire);
      if (newest != nullptr && room <= newest->size) {
        const std::size_t at = newest->used.fetch_add(room, std::memory_order_relaxed);
        if (at <= newest->size - room) {
          void* place = reinterpret_cast<std::byte*>(newest) + at;
          return std::align(aligned, size, place, room);
        }
      }
      grow(newest, room);
    }
  };
  return in_another(bytes, alignment);
}

// Adds a block. An arena begins small and doubles, so that files with few objects take no large
// page.
void ArenaMemory::grow(const Block* full, std::size_t wanted) {
  const std::scoped_lock lock(growing_);
  Block* before = newest_.load(std::memory_order_relaxed);
  if (before != full) return;  // another thread was quicker
  const std::size_t header = round_up(sizeof(Block), kAlignment);
  std::size_t size = std::max(before == nullptr ? kFirstBlock : 2 * before->size, header + wanted);
  if (size >= kLargeFrom) size = round_up(size, kLargePage);
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
