#include "filters/byte_planes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace onecast {
namespace {

/// A vector register of any machine; the compiler knows how to interleave two.
constexpr std::size_t kLanes = 16;
using Lanes [[gnu::vector_size(kLanes)]] = unsigned char;

template <std::size_t kFirst, std::size_t... kIndex>
Lanes interleaved(Lanes a, Lanes b, std::index_sequence<kIndex...> /*halves*/) {
  return __builtin_shufflevector(
      a, b, static_cast<int>(kFirst + kIndex / 2 + (kIndex % 2 != 0 ? kLanes : 0))...);
}
constexpr auto kAllLanes = std::make_index_sequence<kLanes>{};

/// Where the joined bytes of elements go.
struct Output {
  std::byte* first;
  std::size_t stride;  ///< from one element to the next
};

/// Interleaves the first half of the planes with the second; done so often as kPlanes, a power of
/// two, has halves, it interleaves them all. Unrolled, so that all stay in registers.
template <std::size_t kPlanes, std::size_t kRounds = kPlanes>
void interleave(std::array<Lanes, kPlanes>& lanes) {
  if constexpr (kRounds > 1) {
    const std::array<Lanes, kPlanes> before = lanes;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kPlanes / 2; ++i) {
      lanes[2 * i] = interleaved<0>(before[i], before[i + kPlanes / 2], kAllLanes);
      lanes[2 * i + 1] = interleaved<kLanes / 2>(before[i], before[i + kPlanes / 2], kAllLanes);
    }
    interleave<kPlanes, kRounds / 2>(lanes);
  }
}

/// 16 elements of kPlanes bytes.
template <std::size_t kPlanes>
void join_lanes(const std::byte* in, std::size_t plane, Output out) {
  std::array<Lanes, kPlanes> lanes;
#pragma GCC unroll 8
  for (std::size_t b = 0; b < kPlanes; ++b) std::memcpy(&lanes[b], in + b * plane, kLanes);
  interleave(lanes);
  if (out.stride == kPlanes) {
    std::memcpy(out.first, lanes.data(), sizeof lanes);
    return;
  }
  const auto* joined = reinterpret_cast<const std::byte*>(lanes.data());
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kLanes; ++i)
    std::memcpy(out.first + i * out.stride, joined + i * kPlanes, kPlanes);
}

/// The planes [b, b + kPlanes) of the elements [first, last).
template <std::size_t kPlanes>
void join(const std::byte* in, std::size_t plane, Output out, std::size_t first, std::size_t last) {
  std::size_t i = first;
  for (; i + kLanes <= last; i += kLanes)
    join_lanes<kPlanes>(in + i, plane, {out.first + i * out.stride, out.stride});
  for (; i < last; ++i)
    for (std::size_t b = 0; b < kPlanes; ++b) out.first[i * out.stride + b] = in[b * plane + i];
}

}  // namespace

void join_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width) {
  // So many bytes at a time that what is written in pieces stays in the cache.
  constexpr std::size_t kBlockBytes = 8192;
  const std::size_t block = std::max(kLanes, kBlockBytes / width / kLanes * kLanes);
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t last = std::min(count, first + block);
    std::size_t b = 0;
    const auto pass = [&]<std::size_t kPlanes>(std::integral_constant<std::size_t, kPlanes>) {
      for (; b + kPlanes <= width; b += kPlanes)
        join<kPlanes>(in + b * count, count, {out + b, width}, first, last);
    };
    pass(std::integral_constant<std::size_t, 8>{});
    pass(std::integral_constant<std::size_t, 4>{});
    pass(std::integral_constant<std::size_t, 2>{});
    pass(std::integral_constant<std::size_t, 1>{});
  }
}

}  // namespace onecast
