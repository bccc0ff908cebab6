#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "filters/own_filter.hpp"

namespace onecast::filters {
namespace {

std::uint32_t at(ByteView bytes, std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); }

/// Eight words at a time, in registers of any machine.
constexpr std::size_t kLanes = 8;
using Words [[gnu::vector_size(2 * kLanes)]] = std::uint16_t;
using Sums [[gnu::vector_size(2 * kLanes)]] = std::uint32_t;

constexpr bool kLittle = std::endian::native == std::endian::little;

Words big_endian(const std::byte* bytes) {
  Words words;
  std::memcpy(&words, bytes, sizeof words);
  return kLittle ? words << 8U | words >> 8U : words;
}

/// Converts four of the words to 32-bit integers.
template <int kFirst>
Sums four_of(Words words) {
  constexpr Words kZeros{};
  constexpr int kLow = kLittle ? kFirst : kLanes;
  constexpr int kHigh = kLittle ? kLanes : kFirst;
  return std::bit_cast<Sums>(__builtin_shufflevector(
      words, kZeros, kLow, kHigh, kLow + 1, kHigh + 1, kLow + 2, kHigh + 2, kLow + 3, kHigh + 3));
}

/// Fletcher's two sums: sum1 of the words, sum2 of all intermediate values of sum1.
struct Fletcher {
  std::uint64_t sum1 = 0;
  std::uint64_t sum2 = 0;

  void add(std::uint64_t word) {
    sum1 += word;
    sum2 += sum1;
  }

  /// Adds `count` groups of eight words. Lane k of `twice` counts word 8 j + k (count - j) times;
  /// sum2 needs it 8 (count - j) - k times.
  void add_lanes(const std::byte* bytes, std::size_t count) {
    std::array<Sums, 2> once{};
    std::array<Sums, 2> twice{};
    for (std::size_t j = 0; j < count; ++j) {
      const Words words = big_endian(bytes + j * sizeof(Words));
      once[0] += four_of<0>(words);
      once[1] += four_of<4>(words);
      twice[0] += once[0];
      twice[1] += once[1];
    }
    sum2 += sum1 * (kLanes * count);
    for (std::size_t k = 0; k < kLanes; ++k) {
      sum1 += once[k / 4][k % 4];
      sum2 += kLanes * std::uint64_t{twice[k / 4][k % 4]} - k * std::uint64_t{once[k / 4][k % 4]};
    }
  }

  /// Reduces modulo 65535, but never a nonzero value to zero: 65535 stands for 0.
  static std::uint32_t folded(std::uint64_t sum) {
    while (sum > 0xFFFFU) sum = (sum & 0xFFFFU) + (sum >> 16U);
    return static_cast<std::uint32_t>(sum);
  }

  void fold() {
    sum1 = folded(sum1);
    sum2 = folded(sum2);
  }
};

/// The checksum over 16-bit big-endian words; an odd last byte is the high half of a word.
std::uint32_t fletcher32(ByteView bytes) {
  // The most words that 32-bit lanes can sum twice: 65535 * 256 * 257 / 2.
  constexpr std::size_t kBlock = 256;
  Fletcher sums;
  while (bytes.size() >= sizeof(Words)) {
    const std::size_t count = std::min(kBlock, bytes.size() / sizeof(Words));
    sums.add_lanes(bytes.data(), count);
    sums.fold();
    bytes = bytes.subspan(count * sizeof(Words));
  }
  for (std::size_t i = 0; i < bytes.size(); i += 2)
    sums.add(at(bytes, i) << 8U | (i + 1 < bytes.size() ? at(bytes, i + 1) : 0U));
  sums.fold();
  return static_cast<std::uint32_t>(sums.sum2 << 16U | sums.sum1);
}

/// The checksum of HDF5 before 1.6.3 on little-endian machines: the bytes of each half are swapped.
std::uint32_t with_swapped_halves(std::uint32_t sum) {
  return (sum & 0x00FF00FFU) << 8U | (sum >> 8U & 0x00FF00FFU);
}

constexpr std::size_t kChecksum = 4;  ///< its size

ByteView decode_fletcher32(const FilterJob& job, ByteView filtered, Workspace& /*workspace*/) {
  if (filtered.size() < kChecksum)
    job.fail(fmt::format("{} bytes are too few for a checksum", filtered.size()));
  const std::size_t size = filtered.size() - kChecksum;
  std::uint32_t stored = 0;
  for (std::size_t i = kChecksum; i-- > 0;) stored = stored << 8U | at(filtered, size + i);
  const std::uint32_t computed = fletcher32(filtered.first(size));
  if (stored != computed && stored != with_swapped_halves(computed))
    job.fail(fmt::format("checksum is {:#010x}, the data have {:#010x}", stored, computed));
  return filtered.first(size);
}

std::optional<ByteView> encode_fletcher32(const FilterJob& /*job*/, ByteView plain,
                                          Workspace& workspace) {
  const std::span<std::byte> out = workspace.result(plain.size() + kChecksum);
  std::copy(plain.begin(), plain.end(), out.begin());
  std::uint32_t sum = fletcher32(plain);
  for (std::byte& b : out.last(kChecksum)) {
    b = static_cast<std::byte>(sum & 0xFFU);
    sum >>= 8U;
  }
  return out;
}

/// Like the HDF5 library, refuses types of variable length, but not compounds that contain them.
ClientData client_data(const FilterSetup& setup) {
  setup.expect_at_most(0);
  const Datatype& type = setup.type();
  if (type.type_class() == TypeClass::variable_string || type.type_class() == TypeClass::sequence)
    setup.fail(fmt::format("is not for {}", type.describe()));
  return {};
}

constexpr std::size_t with_checksum(std::size_t size) { return size + kChecksum; }

}  // namespace

// It is not optional: without it, a chunk would not be protected.
constinit const OwnFilter kFletcher32Filter{.id = 3,
                                            .name = "fletcher32",
                                            .optional = false,
                                            .decode = decode_fletcher32,
                                            .encode = encode_fletcher32,
                                            .max_filtered_size = with_checksum,
                                            .client_data = client_data,
                                            .asked = kNothingAsked};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::fletcher32() { return kFletcher32Filter.with({}); }

}  // namespace onecast
