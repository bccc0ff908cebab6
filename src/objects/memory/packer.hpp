#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::memory {

/// Packs numbers and blocks of bytes in sequence for other ranks of this program.
class Packer {
 public:
  void number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }
  /// Appends the block's length and the block.
  void block(std::span<const std::byte> b) {
    number(b.size());
    bytes(b);
  }
  void text(std::string_view t) { block(std::as_bytes(std::span(t))); }
  void bytes(std::span<const std::byte> b) { out.insert(out.end(), b.begin(), b.end()); }
  /// Appends a number that is usually small, with seven bits per byte.
  void small(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<std::byte>(value | 0x80U));
    out.push_back(static_cast<std::byte>(value));
  }
  /// Appends a block, or text, with its length as a small number.
  void small_block(std::span<const std::byte> b) {
    small(b.size());
    bytes(b);
  }
  void small_text(std::string_view t) { small_block(std::as_bytes(std::span(t))); }

  std::vector<std::byte> out;
};

/// Returns what each has packed.
inline std::vector<std::vector<std::byte>> taken(std::vector<Packer>& packers) {
  std::vector<std::vector<std::byte>> packed;
  packed.reserve(packers.size());
  for (Packer& p : packers) packed.push_back(std::move(p.out));
  return packed;
}

/// Reads what a Packer of another rank of this program wrote.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> block() { return bytes(static_cast<std::size_t>(number())); }
  std::string_view text() {
    const auto b = block();
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  std::uint64_t small() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(bytes(1).front());
      value |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::span<const std::byte> small_block() { return bytes(static_cast<std::size_t>(small())); }
  std::string_view small_text() {
    const auto b = small_block();
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  std::span<const std::byte> bytes(std::size_t size) {
    const auto b = rest_.first(size);
    rest_ = rest_.subspan(size);
    return b;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace onecast::memory
