#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "filters/filter.hpp"

namespace onecast {
namespace {

std::uint32_t at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<std::uint32_t>(bytes[i]);
}

std::uint32_t fold(std::uint32_t sum) { return (sum & 0xFFFFU) + (sum >> 16U); }

/// Fletcher's checksum over 16-bit big-endian words, a last odd byte being the high half of one.
/// The sums start at 0 and are reduced modulo 65535 by folding, so 65535 stands for 0.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  // So many words fit into the second 32-bit sum before it must be folded.
  constexpr std::size_t kBlock = 360;
  const std::size_t words = bytes.size() / 2;
  std::uint32_t sum1 = 0;
  std::uint32_t sum2 = 0;
  for (std::size_t word = 0; word < words;) {
    const std::size_t end = std::min(words, word + kBlock);
    for (; word < end; ++word) {
      sum1 += at(bytes, 2 * word) << 8U | at(bytes, 2 * word + 1);
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  if (bytes.size() % 2 != 0) {
    sum1 += at(bytes, bytes.size() - 1) << 8U;
    sum2 += sum1;
  }
  // Once more for the carry of the fold before.
  sum1 = fold(fold(sum1));
  sum2 = fold(fold(sum2));
  return sum2 << 16U | sum1;
}

/// What HDF5 before 1.6.3 wrote on little-endian machines: the bytes of each half swapped.
std::uint32_t with_swapped_halves(std::uint32_t sum) {
  return (sum & 0x00FF00FFU) << 8U | (sum >> 8U & 0x00FF00FFU);
}

}  // namespace

Bytes decode_fletcher32(const FilterJob& job, Bytes&& filtered) {
  constexpr std::size_t kChecksum = 4;
  if (filtered.size() < kChecksum)
    job.fail(fmt::format("{} bytes are too few for a checksum", filtered.size()));
  const std::size_t size = filtered.size() - kChecksum;
  std::uint32_t stored = 0;
  for (std::size_t i = kChecksum; i-- > 0;) stored = stored << 8U | at(filtered, size + i);
  const std::uint32_t computed = fletcher32(std::span(filtered).first(size));
  if (stored != computed && stored != with_swapped_halves(computed))
    job.fail(fmt::format("checksum is {:#010x}, the data have {:#010x}", stored, computed));
  filtered.resize(size);
  return std::move(filtered);
}

}  // namespace onecast
