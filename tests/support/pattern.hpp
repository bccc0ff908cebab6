#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace onecast::test {

/// Returns bytes that do not repeat soon and depend only on the arguments.
inline std::vector<std::byte> pattern(std::size_t size, std::size_t seed = 0) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>((i * 37 + i / 7 + seed) & 0xFFU);
  return bytes;
}

inline std::vector<std::byte> text_bytes(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

}  // namespace onecast::test
