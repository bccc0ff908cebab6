#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"

namespace onecast {

/// Owns names and encoded messages that were made or changed in memory; they stay until the file is
/// closed, so that views of them stay valid.
class Arena {
 public:
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
  std::pmr::monotonic_buffer_resource memory_{64 << 10U};
};

}  // namespace onecast
