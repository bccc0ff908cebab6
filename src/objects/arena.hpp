#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "base/byte_reader.hpp"

namespace onecast {

/// Gives an arena its memory, in large pages once there is much of it.
class LargePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

/// Destroys what an Arena holds; the memory goes with the arena.
struct DestroyKept {
  template <class T>
  void operator()(T* object) const {
    std::destroy_at(object);
  }
};
template <class T>
using Kept = std::unique_ptr<T, DestroyKept>;

/// Owns the objects of an open file and their names and encoded messages, as long as it lives:
/// views of them stay valid.
class Arena {
 public:
  [[nodiscard]] std::pmr::memory_resource* memory() { return &memory_; }

  template <class T, class... Arguments>
  Kept<T> make(Arguments&&... arguments) {
    void* place = memory_.allocate(sizeof(T), alignof(T));
    return Kept<T>(new (place) T(std::forward<Arguments>(arguments)...));
  }
  std::span<std::byte> allocate(std::size_t size) {
    return {static_cast<std::byte*>(memory_.allocate(size == 0 ? 1 : size, 8)), size};
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
  LargePages large_pages_;
  std::pmr::monotonic_buffer_resource memory_{64 << 10U, &large_pages_};
};

}  // namespace onecast
