#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "filters/bit_writer.hpp"
#include "filters/scaleoffset.hpp"

namespace onecast::filters {
namespace {

unsigned bits_for(std::uint64_t different) {
  return static_cast<unsigned>(std::bit_width(different - 1));
}

/// The elements of a chunk as numbers of type Value; Bits is the unsigned integer of its size.
template <class Value>
class Elements {
 public:
  using Bits = std::conditional_t<
      sizeof(Value) == 1, std::uint8_t,
      std::conditional_t<sizeof(Value) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>>>;

  Elements(const ScaleOffset& p, ByteView bytes)
      : p_(p),
        bytes_(bytes),
        swaps_(p.big_endian == (std::endian::native == std::endian::little)),
        fill_(std::bit_cast<Value>(static_cast<Bits>(p.fill))) {}

  [[nodiscard]] Value fill() const { return fill_; }

  template <class F>
  void for_each(F&& visit) const {
    for (std::size_t i = 0; i < bytes_.size(); i += sizeof(Value)) {
      Bits bits;
      std::memcpy(&bits, bytes_.data() + i, sizeof bits);
      visit(std::bit_cast<Value>(swapped_if(swaps_, bits)));
    }
  }

  /// The smallest and the largest value, without fill values; zeros if there are no others.
  template <class F>
  [[nodiscard]] std::pair<Value, Value> range(F&& is_fill) const {
    Value low = 0;
    Value high = 0;
    bool any = false;
    for_each([&](Value v) {
      if (p_.has_fill && is_fill(v)) return;
      low = any ? std::min(low, v) : v;
      high = any ? std::max(high, v) : v;
      any = true;
    });
    return {low, high};
  }

  /// Packs values; `difference` returns the stored form of a value.
  template <class F, class G>
  void pack(unsigned bits, std::span<std::byte> out, F&& is_fill, G&& difference) const {
    BitWriter writer(out);
    const Bits fill = packed_fill<Bits>(bits);
    for_each([&](Value v) { writer.put(p_.has_fill && is_fill(v) ? fill : difference(v), bits); });
    writer.finish();
  }

  /// Copies the values unchanged, but as little-endian.
  void copy(std::span<std::byte> out) const {
    std::byte* to = out.data();
    for (std::size_t i = 0; i < bytes_.size(); i += sizeof(Value), to += sizeof(Value)) {
      Bits bits;
      std::memcpy(&bits, bytes_.data() + i, sizeof bits);
      bits = swapped_if(p_.big_endian, bits);
      std::memcpy(to, &bits, sizeof bits);
    }
  }

 private:
  const ScaleOffset& p_;
  ByteView bytes_;
  bool swaps_;
  Value fill_;
};

/// A chunk that is being written: its head, then its packed values.
class Output {
 public:
  Output(const ScaleOffset& p, Workspace& workspace) : p_(p), workspace_(workspace) {}

  [[nodiscard]] ByteView whole() const { return all_; }

  /// The place for packed values: one byte more if the last byte is full, as the HDF5 library
  /// writes.
  std::span<std::byte> packed(unsigned bits, std::uint64_t minimum) {
    return begin({bits, minimum}, static_cast<std::size_t>(p_.count * bits / 8) + 1);
  }

  /// The place for values with all their bits.
  std::span<std::byte> unpacked(std::uint64_t minimum = 0) {
    return begin({static_cast<unsigned>(8 * p_.size), minimum},
                 static_cast<std::size_t>(p_.count) * p_.size);
  }

 private:
  std::span<std::byte> begin(const ScaleOffsetHead& head, std::size_t size) {
    all_ = workspace_.result(ScaleOffsetHead::kSize + size);
    std::fill_n(all_.begin(), ScaleOffsetHead::kSize, std::byte{0});
    little_endian(all_.first(4), head.bits);
    all_[4] = std::byte{8};  // the size of the minimum
    little_endian(all_.subspan(5, 8), head.minimum);
    return all_.subspan(ScaleOffsetHead::kSize);
  }

  static void little_endian(std::span<std::byte> out, std::uint64_t value) {
    for (std::byte& b : out) {
      b = static_cast<std::byte>(value & 0xFFU);
      value >>= 8U;
    }
  }

  const ScaleOffset& p_;
  Workspace& workspace_;
  std::span<std::byte> all_;
};

/// Extends the sign of signed values.
template <class Value>
std::uint64_t extended(Value v) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
}

/// Packs differences to the minimum, modulo the size.
template <class Value>
void encode_integers(const ScaleOffset& p, ByteView plain, Output& out) {
  using Bits = typename Elements<Value>::Bits;
  const Elements<Value> elements(p, plain);
  const auto is_fill = [&](Value v) { return v == elements.fill(); };
  const auto [low, high] = elements.range(is_fill);
  const auto span = static_cast<Bits>(static_cast<Bits>(high) - static_cast<Bits>(low));
  const std::uint64_t least = extended(low);

  auto bits = static_cast<unsigned>(p.scale);
  if (bits == 0) {
    // Two more values would overflow.
    if (span > static_cast<Bits>(~Bits{0}) - 2) return elements.copy(out.unpacked());
    bits = bits_for(std::uint64_t{span} + (p.has_fill ? 2 : 1));
  }
  if (bits == 8 * sizeof(Value)) return elements.copy(out.unpacked(least));
  elements.pack(bits, out.packed(bits, least), is_fill,
                [&](Value v) { return extended(v) - least; });
}

/// Packs differences to the minimum, multiplied by a power of ten and rounded.
template <class Value>
void encode_floats(const ScaleOffset& p, ByteView plain, Output& out) {
  const Elements<Value> elements(p, plain);
  const Value scale = std::pow(Value{10}, static_cast<Value>(p.scale));
  // A value that would be rounded to the fill value counts as one.
  const Value tolerance = std::pow(Value{10}, -static_cast<Value>(p.scale));
  const auto is_fill = [&](Value v) { return std::abs(v - elements.fill()) < tolerance; };

  bool finite = scale > 0 && std::isfinite(scale);
  elements.for_each([&](Value v) { finite = finite && std::isfinite(v); });
  const auto [low, high] = elements.range(is_fill);
  const Value least = low * scale;
  const Value span = high * scale - least;
  // If the span is not representable, or not a number, all values are stored unchanged.
  const Value most = std::ldexp(Value{1}, 8 * sizeof(Value) - 1);
  if (!finite || !(span < most)) return elements.copy(out.unpacked());
  const auto rounded = static_cast<std::uint64_t>(std::llround(span));
  const unsigned bits = bits_for(rounded + (p.has_fill ? 2 : 1));
  if (bits >= 8 * sizeof(Value)) return elements.copy(out.unpacked());
  elements.pack(
      bits, out.packed(bits, std::bit_cast<typename Elements<Value>::Bits>(low)), is_fill,
      [&](Value v) { return static_cast<std::uint64_t>(std::llround(v * scale - least)); });
}

using Encode = void (*)(const ScaleOffset&, ByteView, Output&);

Encode encoder(const ScaleOffset& p, bool is_signed) {
  if (p.is_float) return p.size == 4 ? encode_floats<float> : encode_floats<double>;
  switch (p.size) {
    case 1:
      return is_signed ? encode_integers<std::int8_t> : encode_integers<std::uint8_t>;
    case 2:
      return is_signed ? encode_integers<std::int16_t> : encode_integers<std::uint16_t>;
    case 4:
      return is_signed ? encode_integers<std::int32_t> : encode_integers<std::uint32_t>;
    default:
      return is_signed ? encode_integers<std::int64_t> : encode_integers<std::uint64_t>;
  }
}

}  // namespace

std::optional<ByteView> encode_scaleoffset(const FilterJob& job, ByteView plain,
                                           Workspace& workspace) {
  const ScaleOffset p = ScaleOffset::of(job);
  if (p.count * p.size != plain.size()) job.fail("client data: a chunk of another size");
  if (p.leaves_all()) return plain;
  if (!p.is_float && p.scale < 0) job.fail("client data: a negative number of bits");
  Output out(p, workspace);
  encoder(p, job.spec.client_data[5] != 0)(p, plain, out);
  return out.whole();
}

}  // namespace onecast::filters
