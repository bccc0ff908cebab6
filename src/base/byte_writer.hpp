#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"

namespace onecast {

/// Writes little-endian values into a window of known size. The layout gave every object its exact
/// size, so an overrun is a defect of Onecast and throws std::logic_error.
class ByteWriter {
 public:
  explicit ByteWriter(std::span<std::byte> window) : window_(window) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return window_.size() - position_; }
  [[nodiscard]] std::span<std::byte> window() const { return window_; }

  void uint(std::uint64_t value, std::size_t width) {
    // By far the most common width that is not known to the compiler.
    if (width == 8) return uint<8>(value);
    std::byte* p = take(width);
    for (std::size_t i = 0; i < width; ++i) p[i] = static_cast<std::byte>(value >> (8 * i));
  }
  template <std::size_t kWidth>
  void uint(std::uint64_t value) {
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    std::memcpy(take(kWidth), &value, kWidth);
  }
  void bytes(ByteView source) {
    if (!source.empty()) std::memcpy(take(source.size()), source.data(), source.size());
  }
  void text(std::string_view source) { bytes(std::as_bytes(std::span(source))); }
  void zeros(std::size_t count);
  /// Leaves bytes as they are.
  void skip(std::size_t count) { take(count); }

 private:
  std::byte* take(std::size_t count) {
    if (count > remaining()) overrun(count);
    std::byte* p = window_.data() + position_;
    position_ += count;
    return p;
  }
  [[noreturn]] void overrun(std::size_t count) const;

  std::span<std::byte> window_;
  std::size_t position_ = 0;
};

}  // namespace onecast
