#include "filters/scaleoffset.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "filters/bit_reader.hpp"

namespace onecast {
namespace {

std::uint64_t little_endian(ByteView bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

ScaleOffsetHead read_head(const FilterJob& job, const ScaleOffset& p, ByteView filtered) {
  if (filtered.size() < ScaleOffsetHead::kSize) job.fail("ends early");
  const std::uint64_t bits = little_endian(filtered.first(4));
  if (bits > 8 * p.size) job.fail("values of more bits than the datatype has");
  // The writer's unsigned long long.
  const std::size_t width = std::min<std::size_t>(8, std::to_integer<std::size_t>(filtered[4]));
  return {static_cast<unsigned>(bits), little_endian(filtered.subspan(5, width))};
}

/// Values of type T, an unsigned integer of the size of an element, each by `value_of(packed)`.
template <class T, class F>
void unpack(const ScaleOffset& p, const ScaleOffsetHead& head, ByteView packed,
            std::span<std::byte> out, F&& value_of) {
  const bool swaps = p.big_endian == (std::endian::native == std::endian::little);
  BitReader in(packed);
  for (std::size_t i = 0; i < out.size(); i += sizeof(T)) {
    const T bits = static_cast<T>(head.bits == 0 ? 0 : in.uint(head.bits));
    const T value = swapped_if<T>(swaps, value_of(bits));
    std::memcpy(out.data() + i, &value, sizeof value);
  }
}

/// Signed and unsigned alike: differences to the minimum, modulo their size.
template <class T>
void unpack_integers(const ScaleOffset& p, const ScaleOffsetHead& head, ByteView packed,
                     std::span<std::byte> out) {
  const T fill = packed_fill<T>(head.bits);
  unpack<T>(p, head, packed, out, [&](T bits) {
    return p.has_fill && bits == fill ? static_cast<T>(p.fill)
                                      : static_cast<T>(bits + head.minimum);
  });
}

/// Differences to the minimum, as integers after multiplication by a power of ten.
template <class F, class T>
void unpack_floats(const ScaleOffset& p, const ScaleOffsetHead& head, ByteView packed,
                   std::span<std::byte> out) {
  const F minimum = std::bit_cast<F>(static_cast<T>(head.minimum));
  const F scale = std::pow(F{10}, static_cast<F>(p.scale));
  const T fill = packed_fill<T>(head.bits);
  unpack<T>(p, head, packed, out, [&](T bits) {
    if (p.has_fill && bits == fill) return static_cast<T>(p.fill);
    return std::bit_cast<T>(static_cast<F>(bits) / scale + minimum);
  });
}

template <class T>
void unpack_whole(const ScaleOffset& p, const ScaleOffsetHead& /*head*/, ByteView packed,
                  std::span<std::byte> out) {
  const bool swaps = p.big_endian;  // what is stored is little-endian, as its writers were
  for (std::size_t i = 0; i < out.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, packed.data() + i, sizeof value);
    value = swapped_if(swaps, value);
    std::memcpy(out.data() + i, &value, sizeof value);
  }
}

using Unpack = void (*)(const ScaleOffset&, const ScaleOffsetHead&, ByteView, std::span<std::byte>);

Unpack unpacker(const ScaleOffset& p, const ScaleOffsetHead& head) {
  const std::size_t log = static_cast<std::size_t>(std::countr_zero(p.size));
  constexpr std::array<Unpack, 4> kWhole = {unpack_whole<std::uint8_t>, unpack_whole<std::uint16_t>,
                                            unpack_whole<std::uint32_t>,
                                            unpack_whole<std::uint64_t>};
  constexpr std::array<Unpack, 4> kIntegers = {
      unpack_integers<std::uint8_t>, unpack_integers<std::uint16_t>, unpack_integers<std::uint32_t>,
      unpack_integers<std::uint64_t>};
  // All bits of a value needed: it was stored as it is.
  if (head.bits == 8 * p.size) return kWhole[log];
  if (!p.is_float) return kIntegers[log];
  return p.size == 4 ? unpack_floats<float, std::uint32_t> : unpack_floats<double, std::uint64_t>;
}

}  // namespace

ScaleOffset ScaleOffset::of(const FilterJob& job) {
  const std::vector<std::uint32_t>& values = job.spec.client_data;
  if (values.size() != 20) job.fail("client data: expected 20 values");
  const auto scale_type = static_cast<ScaleType>(values[0]);
  const bool is_float = values[3] == 1;
  if (scale_type == ScaleType::exponent)
    job.fail("E-scaling, which the specification leaves undefined");
  if (values[3] > 1 || is_float != (scale_type == ScaleType::decimal))
    job.fail("client data: the scale type does not fit the class of the datatype");
  if (values[6] > 1) job.fail("client data: an unknown byte order");
  const std::size_t size = values[4];
  if (size != 4 && size != 8 && (is_float || (size != 1 && size != 2)))
    job.fail("client data: a datatype of that size is not possible");
  const ScaleOffset p{
      is_float,       static_cast<std::int32_t>(values[1]),       values[2], size, values[6] == 1,
      values[7] != 0, values[8] | std::uint64_t{values[9]} << 32U};
  if (!is_float && p.scale > 0 && static_cast<std::size_t>(p.scale) > 8 * size)
    job.fail("client data: more bits than the datatype has");
  return p;
}

ByteView decode_scaleoffset(const FilterJob& job, ByteView filtered, Workspace& workspace) {
  const ScaleOffset p = ScaleOffset::of(job);
  if (p.leaves_all()) return filtered;
  const ScaleOffsetHead head = read_head(job, p, filtered);
  const ByteView packed = filtered.subspan(ScaleOffsetHead::kSize);
  if (p.count * head.bits > 8 * std::uint64_t{packed.size()}) job.fail("ends early");
  const std::span<std::byte> out = workspace.result(job.claimed_size(p.count * p.size));
  unpacker(p, head)(p, head, packed, out);
  return out;
}

}  // namespace onecast
