#include "filters/byte_planes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace onecast::filters {
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

/// The joined bytes of elements, as source or destination.
template <class Byte>
struct Elements {
  Byte* first;
  std::size_t stride;  ///< from one element to the next
};
using Output = Elements<std::byte>;
using Input = Elements<const std::byte>;

/// Interleaves the first half of the planes with the second half. Done once for each factor 2 of
/// kPlanes, which is a power of two, it interleaves all of them. Unrolled, so that all stay in
/// registers.
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

/// Joins 16 elements of kPlanes bytes.
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

/// Takes every second lane of both, from kFirst on.
template <std::size_t kFirst, std::size_t... kIndex>
Lanes every_second(Lanes a, Lanes b, std::index_sequence<kIndex...> /*lanes*/) {
  return __builtin_shufflevector(a, b, static_cast<int>(kFirst + 2 * kIndex)...);
}

/// Undoes interleave.
template <std::size_t kPlanes, std::size_t kRounds = kPlanes>
void separate(std::array<Lanes, kPlanes>& lanes) {
  if constexpr (kRounds > 1) {
    const std::array<Lanes, kPlanes> before = lanes;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kPlanes / 2; ++i) {
      lanes[i] = every_second<0>(before[2 * i], before[2 * i + 1], kAllLanes);
      lanes[i + kPlanes / 2] = every_second<1>(before[2 * i], before[2 * i + 1], kAllLanes);
    }
    separate<kPlanes, kRounds / 2>(lanes);
  }
}

/// Splits 16 elements of kPlanes bytes.
template <std::size_t kPlanes>
void split_lanes(Input in, std::byte* out, std::size_t plane) {
  std::array<Lanes, kPlanes> lanes;
  if (in.stride == kPlanes) {
    std::memcpy(lanes.data(), in.first, sizeof lanes);
  } else {
    auto* joined = reinterpret_cast<std::byte*>(lanes.data());
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kLanes; ++i)
      std::memcpy(joined + i * kPlanes, in.first + i * in.stride, kPlanes);
  }
  separate(lanes);
#pragma GCC unroll 8
  for (std::size_t b = 0; b < kPlanes; ++b) std::memcpy(out + b * plane, &lanes[b], kLanes);
}

/// Joins kPlanes planes of the elements [first, last).
template <std::size_t kPlanes>
void join(const std::byte* in, std::size_t plane, Output out, std::size_t first, std::size_t last) {
  std::size_t i = first;
  for (; i + kLanes <= last; i += kLanes)
    join_lanes<kPlanes>(in + i, plane, {out.first + i * out.stride, out.stride});
  for (; i < last; ++i)
    for (std::size_t b = 0; b < kPlanes; ++b) out.first[i * out.stride + b] = in[b * plane + i];
}

/// Splits the elements [first, last) into kPlanes planes.
template <std::size_t kPlanes>
void split(Input in, std::byte* out, std::size_t plane, std::size_t first, std::size_t last) {
  std::size_t i = first;
  for (; i + kLanes <= last; i += kLanes)
    split_lanes<kPlanes>({in.first + i * in.stride, in.stride}, out + i, plane);
  for (; i < last; ++i)
    for (std::size_t b = 0; b < kPlanes; ++b) out[b * plane + i] = in.first[i * in.stride + b];
}

/// Calls pass(planes, b, first, last) for the planes [b, b + planes) of the elements [first, last),
/// until all are done.
template <class F>
void for_pieces(std::size_t count, std::size_t width, F&& pass) {
  // The number of bytes per block, so that the side that is accessed in pieces stays in the cache.
  constexpr std::size_t kBlockBytes = 8192;
  const std::size_t block = std::max(kLanes, kBlockBytes / width / kLanes * kLanes);
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t last = std::min(count, first + block);
    std::size_t b = 0;
    const auto passes =
        [&]<std::size_t kPlanes>(std::integral_constant<std::size_t, kPlanes> planes) {
          for (; b + kPlanes <= width; b += kPlanes) pass(planes, b, first, last);
        };
    passes(std::integral_constant<std::size_t, 8>{});
    passes(std::integral_constant<std::size_t, 4>{});
    passes(std::integral_constant<std::size_t, 2>{});
    passes(std::integral_constant<std::size_t, 1>{});
  }
}

}  // namespace

void join_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width) {
  for_pieces(count, width, [&](auto planes, std::size_t b, std::size_t first, std::size_t last) {
    join<planes>(in + b * count, count, {out + b, width}, first, last);
  });
}

void split_byte_planes(const std::byte* in, std::byte* out, std::size_t count, std::size_t width) {
  for_pieces(count, width, [&](auto planes, std::size_t b, std::size_t first, std::size_t last) {
    split<planes>({in + b, width}, out + b * count, count, first, last);
  });
}

}  // namespace onecast::filters
