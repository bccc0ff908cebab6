#include "base/lookup3.hpp"

#include <bit>
#include <cstring>

namespace onecast {
namespace {

struct State {
  std::uint32_t a, b, c;

  void mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }

  void finish() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

std::uint32_t load32(const std::byte* p) {
  std::uint32_t v = 0;
  std::memcpy(&v, p, 4);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap32(v);
  return v;
}

}  // namespace

std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial) {
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  const std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(left) + initial;
  State s{start, start, start};

  for (; left > 12; left -= 12, p += 12) {
    s.a += load32(p), s.b += load32(p + 4), s.c += load32(p + 8);
    s.mix();
  }
  if (left == 0) return s.c;

  std::byte tail[12] = {};
  std::memcpy(tail, p, left);
  s.a += load32(tail), s.b += load32(tail + 4), s.c += load32(tail + 8);
  s.finish();
  return s.c;
}

}  // namespace onecast
