#pragma once

#include <algorithm>

#include "base/namespaces.hpp"
#include "filters/filter.hpp"

namespace onecast::filters {

/// Reads big-endian values and runs of bytes from the front of a chunk.
class BigEndianReader {
 public:
  BigEndianReader(const FilterJob& job, ByteView bytes) : job_(job), bytes_(bytes) {}

  [[nodiscard]] std::size_t remaining() const { return bytes_.size(); }

  std::uint64_t uint(std::size_t width) {
    std::uint64_t value = 0;
    for (const std::byte b : take(width)) value = value << 8U | std::to_integer<std::uint64_t>(b);
    return value;
  }

  ByteView take(std::uint64_t count) {
    if (count > bytes_.size()) job_.fail("ends early");
    const ByteView taken = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  const FilterJob& job_;
  ByteView bytes_;
};

/// Writes big-endian values and bytes to the front of the rest of a chunk. The caller makes room.
class BigEndianWriter {
 public:
  explicit BigEndianWriter(std::span<std::byte> out) : rest_(out) {}

  [[nodiscard]] std::span<std::byte> rest() const { return rest_; }

  void uint(std::uint64_t value, std::size_t width) {
    for (std::size_t i = width; i-- > 0; value >>= 8U)
      rest_[i] = static_cast<std::byte>(value & 0xFFU);
    skip(width);
  }

  void bytes(ByteView bytes) {
    std::copy(bytes.begin(), bytes.end(), rest_.begin());
    skip(bytes.size());
  }

  /// Skips bytes that others have written.
  void skip(std::size_t count) { rest_ = rest_.subspan(count); }

 private:
  std::span<std::byte> rest_;
};

}  // namespace onecast::filters
