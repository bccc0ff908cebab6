#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/large_pages.hpp"

namespace onecast {

/// Frees the memory of a Buffer of this size.
struct FreeBuffer {
  std::size_t size = 0;

  void operator()(std::byte* bytes) const {
    if (size < kLargeFrom)
      delete[] bytes;
    else
      free_large(bytes);
  }
};

/// A fixed number of bytes without initialization. Empty after a move.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : bytes_(allocate(size), FreeBuffer{size}), size_(size) {}

  Buffer(Buffer&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() = default;

  [[nodiscard]] std::byte* data() { return bytes_.get(); }
  [[nodiscard]] const std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] std::byte* begin() { return data(); }
  [[nodiscard]] std::byte* end() { return data() + size_; }
  [[nodiscard]] const std::byte* begin() const { return data(); }
  [[nodiscard]] const std::byte* end() const { return data() + size_; }

  [[nodiscard]] std::span<std::byte> span() { return {data(), size_}; }
  [[nodiscard]] std::span<const std::byte> span() const { return {data(), size_}; }

 private:
  static std::byte* allocate(std::size_t size) {
    return size < kLargeFrom ? new std::byte[size] : static_cast<std::byte*>(allocate_large(size));
  }

  std::unique_ptr<std::byte, FreeBuffer> bytes_;
  std::size_t size_ = 0;
};

}  // namespace onecast
