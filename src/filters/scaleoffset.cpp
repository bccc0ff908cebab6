#include "filters/scaleoffset.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "filters/bit_reader.hpp"
#include "filters/own_filter.hpp"

namespace onecast::filters {
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
  // The size of the writer's unsigned long long.
  const std::size_t width = std::min<std::size_t>(8, std::to_integer<std::size_t>(filtered[4]));
  return {static_cast<unsigned>(bits), little_endian(filtered.subspan(5, width))};
}

/// Unpacks values of type T, an unsigned integer of the element's size, each by `value_of(packed)`.
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

/// Adds the minimum to differences, modulo the size; signed and unsigned integers alike.
template <class T>
void unpack_integers(const ScaleOffset& p, const ScaleOffsetHead& head, ByteView packed,
                     std::span<std::byte> out) {
  const T fill = packed_fill<T>(head.bits);
  unpack<T>(p, head, packed, out, [&](T bits) {
    return p.has_fill && bits == fill ? static_cast<T>(p.fill)
                                      : static_cast<T>(bits + head.minimum);
  });
}

/// Adds the minimum to differences that are integers scaled by a power of ten.
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
  const bool swaps = p.big_endian;  // stored values are little-endian
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
  // A value with all its bits was stored unchanged.
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

namespace {

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

// --- its client data -----------------------------------------------------------------------------

constexpr FilterParameter kScaleType{"scale_type", 0, static_cast<std::int64_t>(ScaleType::integer),
                                     0, static_cast<std::int64_t>(ScaleType::integer)};
/// Decimal digits, or bits of an integer.
constexpr FilterParameter kFactor{"factor", 1, 0, 0, std::numeric_limits<std::int32_t>::max()};
constexpr FilterParameter kParameters[] = {kScaleType, kFactor};

/// Appends whether there is a fill value, and its bytes as little-endian words.
void add_fill_value(ClientData& values, const FilterSetup& setup, bool big_endian) {
  const auto& given = setup.dataset().fill_value;
  values.push_back(given ? 1 : 0);
  if (!given || given->empty()) return;
  const std::span<const std::byte> fill = *given;
  if (fill.size() != setup.type().size()) setup.fail("a fill value of another size");
  for (std::size_t i = 0; i < fill.size(); ++i) {
    const std::byte b = fill[big_endian ? fill.size() - 1 - i : i];
    if (i % 4 == 0) values.push_back(0);
    values.back() |= std::to_integer<std::uint32_t>(b) << (8 * (i % 4));
  }
}

/// The number in an element: floating-point, or an integer of a supported size.
const Datatype& number_in(const FilterSetup& setup) {
  const Datatype& type = setup.type();
  const Datatype& number = type.type_class() == TypeClass::enumeration ? type.base() : type;
  const std::size_t size = number.size();
  const bool possible = number.type_class() == TypeClass::floating
                            ? size == 4 || size == 8
                            : number.type_class() == TypeClass::integer &&
                                  (size == 1 || size == 2 || size == 4 || size == 8);
  if (!possible) setup.fail(fmt::format("it cannot be applied to {}", type.describe()));
  return number;
}

ClientData client_data(const FilterSetup& setup) {
  constexpr std::size_t kCount = 20;
  enum : std::uint32_t { kInteger = 0, kFloat = 1 };
  const Datatype& number = number_in(setup);
  const bool is_float = number.type_class() == TypeClass::floating;
  if (setup.given().size() < 2) setup.fail("client data: expected the scale type and the factor");
  const auto scale_type =
      static_cast<std::uint32_t>(is_float ? ScaleType::decimal : ScaleType::integer);
  if (setup.given()[0] != scale_type)
    setup.fail(is_float ? "floating-point numbers need a decimal scale" : "integers have no scale");
  FilterParameter factor = kFactor;
  factor.name = is_float ? "number of decimals" : "number of bits";
  if (!is_float) factor.most = static_cast<std::int64_t>(8 * number.size());

  const std::uint32_t order = setup.byte_order(number);
  ClientData values = {scale_type,
                       setup.value(factor),
                       setup.narrow(setup.chunk_elements(), "elements in a chunk"),
                       is_float ? kFloat : kInteger,
                       static_cast<std::uint32_t>(number.size()),
                       !is_float && number.is_signed() ? 1U : 0U,
                       order};
  add_fill_value(values, setup, order == 1);
  values.resize(kCount);
  return values;
}

}  // namespace

constinit const OwnFilter kScaleOffsetFilter{.id = 6,
                                             .name = "scaleoffset",
                                             .parameters = kParameters,
                                             .required = 2,
                                             .decode = decode_scaleoffset,
                                             .encode = encode_scaleoffset,
                                             .client_data = client_data,
                                             .asked = {.count = 2}};

}  // namespace onecast::filters

namespace onecast {

using namespace filters;

Filter Filter::scale_offset(std::uint32_t bits) {
  return kScaleOffsetFilter.with({static_cast<std::uint32_t>(ScaleType::integer), bits});
}

Filter Filter::scale_offset_decimal(std::uint32_t decimals) {
  return kScaleOffsetFilter.with({static_cast<std::uint32_t>(ScaleType::decimal), decimals});
}

}  // namespace onecast
