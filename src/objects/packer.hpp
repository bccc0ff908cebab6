#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace onecast {

/// Numbers and blocks of bytes, one after the other, for other ranks of this program.
class Packer {
 public:
  void number(std::uint64_t value) { bytes(std::as_bytes(std::span(&value, 1))); }
  /// With its length.
  void block(std::span<const std::byte> b) {
    number(b.size());
    bytes(b);
  }
  void text(std::string_view t) { block(std::as_bytes(std::span(t))); }
  void bytes(std::span<const std::byte> b) { out.insert(out.end(), b.begin(), b.end()); }

  std::vector<std::byte> out;
};

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
  std::span<const std::byte> bytes(std::size_t size) {
    const auto b = rest_.first(size);
    rest_ = rest_.subspan(size);
    return b;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace onecast
