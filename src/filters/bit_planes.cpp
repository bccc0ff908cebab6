#include "filters/bit_planes.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "filters/byte_planes.hpp"

namespace onecast::filters {
namespace {

/// Two words in a vector register of any machine.
using Words [[gnu::vector_size(16)]] = std::uint64_t;

/// Makes the first byte in memory the least significant one.
Words little_endian(Words x) {
  if constexpr (std::endian::native == std::endian::little) return x;
  return Words{__builtin_bswap64(x[0]), __builtin_bswap64(x[1])};
}

Words swap_bits(Words x, int distance, std::uint64_t mask) {
  const Words swapped = (x ^ (x >> distance)) & mask;
  return x ^ swapped ^ (swapped << distance);
}

/// Transposes the eight bytes of each word as a matrix of bits, by exchanging blocks of 1, 2, 4
/// bits.
Words transposed(Words x) {
  x = swap_bits(x, 7, 0x00AA00AA00AA00AAU);
  x = swap_bits(x, 14, 0x0000CCCC0000CCCCU);
  return swap_bits(x, 28, 0x00000000F0F0F0F0U);
}

template <std::size_t kBytes>
void transpose_words(std::byte* bytes) {
  Words words{};
  std::memcpy(&words, bytes, kBytes);
  words = little_endian(transposed(little_endian(words)));
  std::memcpy(bytes, &words, kBytes);
}

/// Converts, in place, groups of eight bytes between two forms: byte k has the k-th bits of 8
/// elements, or byte i is element i. `count` is a multiple of 8.
void transpose(std::byte* bytes, std::size_t count) {
  std::size_t i = 0;
  for (; i + sizeof(Words) <= count; i += sizeof(Words)) transpose_words<sizeof(Words)>(bytes + i);
  if (i < count) transpose_words<8>(bytes + i);
}

}  // namespace

void join_bit_planes(const std::byte* in, std::byte* out, std::byte* temporary, std::size_t count,
                     std::size_t width) {
  // Handles one byte of all elements at a time: eight planes of bits become one plane of bytes.
  std::byte* planes = width == 1 ? out : temporary;
  for (std::size_t b = 0; b < width; ++b) {
    std::byte* plane = planes + b * count;
    join_byte_planes(in + b * count, plane, count / 8, 8);
    transpose(plane, count);
  }
  if (width != 1) join_byte_planes(temporary, out, count, width);
}

void split_bit_planes(const std::byte* in, std::byte* out, std::byte* temporary, std::size_t count,
                      std::size_t width) {
  split_byte_planes(in, temporary, count, width);
  for (std::size_t b = 0; b < width; ++b) {
    std::byte* plane = temporary + b * count;
    transpose(plane, count);
    split_byte_planes(plane, out + b * count, count / 8, 8);
  }
}

}  // namespace onecast::filters
