#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace onecast {

/// A file address: the number of bytes from the superblock's base address. "Undefined" is all bits
/// set, as in the specification ("Disk Format: Level 0A").
struct Address {
  static constexpr std::uint64_t kUndefined = ~std::uint64_t{0};

  std::uint64_t value = kUndefined;

  [[nodiscard]] constexpr bool is_defined() const { return value != kUndefined; }
  constexpr auto operator<=>(const Address&) const = default;
};

constexpr Address operator+(Address a, std::uint64_t n) { return Address{a.value + n}; }

}  // namespace onecast

template <>
struct std::hash<onecast::Address> {
  std::size_t operator()(onecast::Address a) const noexcept {
    // Addresses share their low zero bits; a multiplication by an odd number spreads them.
    return static_cast<std::size_t>((a.value >> 3U) * 0x9E3779B97F4A7C15ULL);
  }
};
