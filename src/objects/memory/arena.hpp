#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "base/byte_reader.hpp"
#include "base/mutex.hpp"
#include "base/namespaces.hpp"

namespace onecast::memory {

/// Memory that is freed all at once: in ever larger blocks, of large pages once there is much of
/// it. Any number of threads may allocate at once.
class ArenaMemory final : public std::pmr::memory_resource {
 public:
  ArenaMemory() = default;
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;
  ~ArenaMemory() override;

  /// Returns the number of allocated bytes.
  [[nodiscard]] std::size_t used() const;

 private:
  struct Block;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
  void grow(const Block* full, std::size_t wanted);

  std::atomic<Block*> newest_{nullptr};
  Mutex growing_;
};

/// Destroys an object in an Arena; its memory is freed with the arena.
struct DestroyKept {
  template <class T>
  void operator()(T* object) const {
    std::destroy_at(object);
  }
};
template <class T>
using Kept = std::unique_ptr<T, DestroyKept>;

/// Owns what is decoded of an open file, names and encoded messages: views stay valid until all of
/// it is forgotten. Any number of threads may use it at once, but not while it is renewed.
class Arena {
 public:
  [[nodiscard]] std::pmr::memory_resource* memory() { return memory_.get(); }
  [[nodiscard]] std::size_t used() const { return memory_->used(); }
  /// Keeps the present contents while anybody holds it, even after they are forgotten.
  [[nodiscard]] const std::shared_ptr<ArenaMemory>& keeper() const { return memory_; }
  /// Starts with new memory. The old contents live as long as the returned pointer and all keepers.
  [[nodiscard]] std::shared_ptr<const void> renew() {
    return std::exchange(memory_, std::make_shared<ArenaMemory>());
  }

  template <class T, class... Arguments>
  Kept<T> make(Arguments&&... arguments) {
    void* place = memory_->allocate(sizeof(T), alignof(T));
    return Kept<T>(new (place) T(std::forward<Arguments>(arguments)...));
  }
  std::span<std::byte> allocate(std::size_t size) {
    return {static_cast<std::byte*>(memory_->allocate(size == 0 ? 1 : size, 8)), size};
  }
  std::span<std::byte> keep(ByteView bytes) {
    const std::span<std::byte> copy = allocate(bytes.size());
    if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  }
  std::string_view keep(std::string_view text) {
    const std::span<std::byte> copy = keep(std::as_bytes(std::span(text)));
    return {reinterpret_cast<const char*>(copy.data()), text.size()};
  }

 private:
  std::shared_ptr<ArenaMemory> memory_ = std::make_shared<ArenaMemory>();
};

}  // namespace onecast::memory
