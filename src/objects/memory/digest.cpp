#include "objects/memory/digest.hpp"

#include <cstring>

#include "pages/content_digest.hpp"

namespace onecast::memory {

Digest& Digest::add(std::span<const std::byte> bytes) {
  add(bytes.size());
  constexpr std::size_t kMuch = 256;
  if (bytes.size() >= kMuch) return add(content_digest(bytes));
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  if (bytes.empty()) return *this;
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data(), bytes.size());
  return add(rest);
}

}  // namespace onecast::memory
