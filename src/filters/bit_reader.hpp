#pragma once

#include <bit>
#include <cstring>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"

namespace onecast::filters {

/// Reads unsigned integers of any number of bits from a stream, most significant bit first. The
/// caller checks that there are enough; zeros follow the end.
class BitReader {
 public:
  explicit BitReader(ByteView bytes) : bytes_(bytes) {}

  /// `bits` is 1 to 64.
  std::uint64_t uint(unsigned bits) {
    // Eight bytes hold 57 bits at any position.
    if (bits <= 57) return narrow(bits);
    const std::uint64_t high = narrow(bits - 32);
    return high << 32U | narrow(32);
  }

 private:
  std::uint64_t narrow(unsigned bits) {
    const std::uint64_t word = eight_bytes(static_cast<std::size_t>(position_ / 8));
    const std::uint64_t value = word << (position_ % 8) >> (64 - bits);
    position_ += bits;
    return value;
  }

  /// Reads eight bytes as one big-endian integer.
  [[nodiscard]] std::uint64_t eight_bytes(std::size_t at) const {
    std::uint64_t word = 0;
    if (at < bytes_.size() && bytes_.size() - at >= sizeof word) {
      std::memcpy(&word, bytes_.data() + at, sizeof word);
      return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
    }
    for (std::size_t i = 0; i < sizeof word; ++i, ++at)
      word = word << 8U | (at < bytes_.size() ? std::to_integer<std::uint64_t>(bytes_[at]) : 0U);
    return word;
  }

  ByteView bytes_;
  std::uint64_t position_ = 0;  ///< in bits
};

}  // namespace onecast::filters
