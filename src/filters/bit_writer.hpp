#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/namespaces.hpp"

namespace onecast::filters {

/// Appends unsigned integers of any number of bits to a stream, most significant bit first. The
/// caller makes room for them.
class BitWriter {
 public:
  explicit BitWriter(std::span<std::byte> out) : next_(out.data()), end_(next_ + out.size()) {}

  /// `bits` is 1 to 64; higher bits of the value are ignored.
  void put(std::uint64_t value, unsigned bits) {
    if (bits > 32) {
      narrow(value >> 32U, bits - 32);
      bits = 32;
    }
    narrow(value, bits);
  }

  /// Writes the last bits, and zeros up to the end.
  void finish() {
    pending_ <<= 64 - count_ - 1;
    pending_ <<= 1U;  // by 64 in all, if there are none
    for (; next_ != end_; ++next_, pending_ <<= 8U)
      *next_ = static_cast<std::byte>(pending_ >> 56U);
  }

 private:
  void narrow(std::uint64_t value, unsigned bits) {
    pending_ = pending_ << bits | (value & ((std::uint64_t{1} << bits) - 1));
    count_ += bits;
    if (count_ < 32) return;
    count_ -= 32;
    const std::uint64_t word = pending_ >> count_;
    for (unsigned shift = 32; shift != 0;) {
      shift -= 8;
      *next_++ = static_cast<std::byte>(word >> shift & 0xFFU);
    }
  }

  std::byte* next_;
  std::byte* end_;
  std::uint64_t pending_ = 0;  ///< the lowest count_ bits, fewer than 32, are not written yet
  unsigned count_ = 0;
};

}  // namespace onecast::filters
