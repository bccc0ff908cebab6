#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// A running 64-bit digest.
class Digest {
 public:
  Digest() = default;
  explicit Digest(std::uint64_t value) : value_(value) {}

  Digest& add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15ULL;
    value_ ^= value_ >> 29U;
    return *this;
  }
  Digest& add(std::span<const std::byte> bytes);
  Digest& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x6f6e6563617374ULL;
};

}  // namespace onecast::memory
