#include "onecast/types/datatype.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "base/of_process.hpp"
#include "onecast/base/error.hpp"
#include "types/datatype_access.hpp"

namespace onecast {

using namespace types;

namespace {

[[noreturn]] void reject(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "datatype: " + what);
}

std::uint32_t order_bits(ByteOrder order, TypeClass of) {
  if (order == ByteOrder::little) return 0;
  if (order == ByteOrder::big) return datatype_bits::kBigEndian;
  if (of != TypeClass::floating) reject("only floating-point types have VAX order");
  return datatype_bits::kBigEndian | datatype_bits::kVaxOrder;
}

BitRange all_bits(std::size_t size) { return {0, static_cast<std::uint16_t>(8 * size)}; }

void check_bits(std::size_t size, BitRange bits, const char* what) {
  if (size == 0 || size > UINT16_MAX / 8)
    reject(fmt::format("{} has 1 to {} bytes, not {}", what, UINT16_MAX / 8, size));
  if (bits.precision == 0 || bits.offset + std::size_t{bits.precision} > 8 * size)
    reject(fmt::format("{} of {} bytes cannot take {} bits from bit {}", what, size, bits.precision,
                       bits.offset));
}

bool fits(std::uint8_t location, std::uint8_t size, BitRange bits) {
  return size != 0 && location >= bits.offset &&
         location + size <= std::size_t{bits.offset} + bits.precision;
}

/// The layout of IEEE 754's types, by their size.
FloatLayout ieee(std::size_t size) {
  switch (size) {
    case 2:
      return {15, 10, 5, 0, 10, 15, Normalization::implied};
    case 4:
      return {31, 23, 8, 0, 23, 127, Normalization::implied};
    case 8:
      return {63, 52, 11, 0, 52, 1023, Normalization::implied};
    case 16:
      return {127, 112, 15, 0, 112, 16383, Normalization::implied};
    default:
      reject(fmt::format("a floating-point number has 2, 4, 8 or 16 bytes, not {}", size));
  }
}

template <class T>
void check_names(const std::vector<T>& members, const char* what) {
  std::unordered_set<std::string_view> names;
  for (const T& m : members) {
    if (m.name.empty()) reject(fmt::format("{} needs a name", what));
    if (!names.insert(m.name).second) reject(fmt::format("{} \"{}\" is there twice", what, m.name));
  }
}

}  // namespace

Datatype Datatype::integer(std::size_t size, bool is_signed, ByteOrder order) {
  return integer(size, is_signed, order, all_bits(std::min<std::size_t>(size, UINT16_MAX / 8)));
}

Datatype Datatype::integer(std::size_t size, bool is_signed, ByteOrder order, BitRange bits) {
  check_bits(size, bits, "an integer");
  const std::uint32_t sign = is_signed ? datatype_bits::kSigned : 0;
  return DatatypeAccess::with_bits(
      DatatypeAccess::make(TypeClass::integer, size, sign | order_bits(order, TypeClass::integer)),
      bits);
}

Datatype Datatype::floating(std::size_t size, ByteOrder order) {
  const FloatLayout layout = ieee(size);
  return floating(size, order, all_bits(size), layout);
}

Datatype Datatype::floating(std::size_t size, ByteOrder order, BitRange bits, FloatLayout layout) {
  check_bits(size, bits, "a floating-point number");
  if (!fits(layout.exponent_location, layout.exponent_size, bits) ||
      !fits(layout.mantissa_location, layout.mantissa_size, bits) ||
      !fits(layout.sign_location, 1, bits))
    reject("sign, exponent or mantissa lie outside of the number's bits");
  const auto normalization = static_cast<std::uint32_t>(layout.normalization) << 4U;
  Datatype t = DatatypeAccess::make(TypeClass::floating, size,
                                    order_bits(order, TypeClass::floating) | normalization |
                                        std::uint32_t{layout.sign_location} << 8U);
  t.bits_ = bits;
  t.exponent_location_ = layout.exponent_location;
  t.exponent_size_ = layout.exponent_size;
  t.mantissa_location_ = layout.mantissa_location;
  t.mantissa_size_ = layout.mantissa_size;
  t.exponent_bias_ = layout.exponent_bias;
  return t;
}

Datatype Datatype::bfloat16(ByteOrder order) {
  return floating(2, order, all_bits(2), {15, 7, 8, 0, 7, 127, Normalization::implied});
}

Datatype Datatype::float80(std::size_t size, ByteOrder order) {
  if (size < 10) reject("float80 has at least 10 bytes");
  return floating(size, order, {0, 80}, {79, 64, 15, 0, 64, 16383, Normalization::none});
}

Datatype Datatype::long_double() {
  constexpr int kDigits = std::numeric_limits<long double>::digits;
  if constexpr (kDigits == 64) return float80(sizeof(long double));
  return floating(sizeof(long double));
}

Datatype Datatype::time(std::size_t size, ByteOrder order) {
  if (size != 4 && size != 8) reject(fmt::format("a time has 4 or 8 bytes, not {}", size));
  return DatatypeAccess::with_bits(
      DatatypeAccess::make(TypeClass::time, size, order_bits(order, TypeClass::time)),
      all_bits(size));
}

Datatype Datatype::string(std::size_t size, StringPadding padding, CharacterSet set) {
  if (size == 0 || size > UINT32_MAX) reject("a string has 1 byte to 4 GiB");
  return DatatypeAccess::make(TypeClass::string, size,
                              static_cast<std::uint32_t>(padding) | static_cast<std::uint32_t>(set)
                                                                        << 4U);
}

namespace {
/// "Length", then a Global Heap ID with offsets of 8 bytes.
constexpr std::size_t kVariableLengthSize = 16;
}  // namespace

Datatype Datatype::variable_string(CharacterSet set) {
  return DatatypeAccess::make(TypeClass::variable_string, kVariableLengthSize,
                              datatype_bits::kVariableLengthString | static_cast<std::uint32_t>(set)
                                                                         << 8U);
}

Datatype Datatype::sequence(const Datatype& base) {
  return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::sequence, kVariableLengthSize),
                                    {{}, {}, {}, {base}, {}});
}

Datatype Datatype::bitfield(std::size_t size, ByteOrder order) {
  const BitRange bits = all_bits(std::min<std::size_t>(size, UINT16_MAX / 8));
  check_bits(size, bits, "a bitfield");
  return DatatypeAccess::with_bits(
      DatatypeAccess::make(TypeClass::bitfield, size, order_bits(order, TypeClass::bitfield)),
      bits);
}

Datatype Datatype::opaque(std::size_t size, std::string tag) {
  if (size == 0 || size > UINT32_MAX) reject("an opaque type has 1 byte to 4 GiB");
  if (tag.size() > UINT8_MAX || tag.find('\0') != std::string::npos)
    reject("a tag has up to 255 bytes, none of them NUL");
  return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::opaque, size),
                                    {std::move(tag), {}, {}, {}, {}});
}

Datatype Datatype::compound(std::size_t size, std::vector<CompoundMember> members) {
  if (members.empty() || members.size() > UINT16_MAX)
    reject("a compound type has 1 to 65535 members");
  if (size > UINT32_MAX) reject("a compound type has at most 4 GiB");
  std::vector<const CompoundMember*> by_offset;
  by_offset.reserve(members.size());
  for (const CompoundMember& m : members) by_offset.push_back(&m);
  std::sort(by_offset.begin(), by_offset.end(),
            [](auto* a, auto* b) { return a->offset < b->offset; });
  check_names(members, "a compound member");
  std::size_t end = 0;
  for (const CompoundMember* m : by_offset) {
    if (m->offset < end) reject(fmt::format("compound member \"{}\" overlaps another", m->name));
    if (m->offset > size || m->type.size() > size - m->offset)
      reject(fmt::format("compound member \"{}\" leaves the {} bytes", m->name, size));
    end = m->offset + m->type.size();
  }
  return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::compound, size),
                                    {{}, std::move(members), {}, {}, {}});
}

Datatype Datatype::reference(ReferenceKind kind) {
  constexpr std::size_t kSizes[] = {8, 12, 18, 18, 18};
  constexpr std::uint32_t kRevisedEncoding = 1U << 4U;
  const auto number = static_cast<std::uint32_t>(kind);
  return DatatypeAccess::make(
      TypeClass::reference, kSizes[number],
      number | (kind >= ReferenceKind::revised_object ? kRevisedEncoding : 0));
}

Datatype Datatype::enumeration(const Datatype& base, std::vector<EnumerationMember> members) {
  if (base.type_class() != TypeClass::integer || base.bits().precision > 64)
    reject("an enumeration is of integers of up to 64 bits");
  if (members.size() > UINT16_MAX) reject("an enumeration has at most 65535 names");
  if (members.empty()) reject("an enumeration needs a name");
  check_names(members, "an enumeration member");
  std::unordered_map<std::int64_t, std::string_view> names;
  for (const EnumerationMember& m : members)
    if (const auto [at, is_new] = names.emplace(m.value, m.name); !is_new)
      reject(fmt::format("the enumeration members \"{}\" and \"{}\" have one value", at->second,
                         m.name));
  return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::enumeration, base.size()),
                                    {{}, {}, std::move(members), {base}, {}});
}

Datatype Datatype::array(const Datatype& base, std::vector<std::uint32_t> dimensions) {
  if (dimensions.empty() || dimensions.size() > 32) reject("an array has 1 to 32 dimensions");
  std::uint64_t size = base.size();
  for (const std::uint32_t n : dimensions)
    if (n == 0 || __builtin_mul_overflow(size, n, &size) || size > UINT32_MAX)
      reject("an array has at least one element, and at most 4 GiB");
  return DatatypeAccess::with_parts(DatatypeAccess::make(TypeClass::array, size),
                                    {{}, {}, {}, {base}, std::move(dimensions)});
}

Datatype Datatype::complex_pair(const Datatype& base) {
  if (base.type_class() != TypeClass::floating)
    reject("complex numbers are of floating-point numbers");
  return compound(2 * base.size(), {{"r", 0, base}, {"i", base.size(), base}});
}

Datatype Datatype::complex(const Datatype& base) {
  if (base.type_class() != TypeClass::floating)
    reject("a complex type is of floating-point numbers");
  return DatatypeAccess::with_parts(
      DatatypeAccess::make(TypeClass::complex, 2 * base.size(), datatype_bits::kComplexHomogeneous),
      {{}, {}, {}, {base}, {}});
}

ByteOrder Datatype::byte_order() const {
  if (class_ != TypeClass::integer && class_ != TypeClass::floating && class_ != TypeClass::time &&
      class_ != TypeClass::bitfield)
    return ByteOrder::little;
  if ((class_bits_ & datatype_bits::kBigEndian) == 0) return ByteOrder::little;
  const bool vax = class_ == TypeClass::floating && (class_bits_ & datatype_bits::kVaxOrder) != 0;
  return vax ? ByteOrder::vax : ByteOrder::big;
}

bool Datatype::is_signed() const {
  return class_ == TypeClass::floating ||
         (class_ == TypeClass::integer && (class_bits_ & datatype_bits::kSigned) != 0);
}

FloatLayout Datatype::float_layout() const {
  if (class_ != TypeClass::floating) return {};
  return {static_cast<std::uint8_t>(datatype_bits::float_sign_location(class_bits_)),
          exponent_location_,
          exponent_size_,
          mantissa_location_,
          mantissa_size_,
          exponent_bias_,
          static_cast<Normalization>(class_bits_ >> 4U & 3U)};
}

StringPadding Datatype::padding() const {
  if (class_ == TypeClass::string)
    return static_cast<StringPadding>(datatype_bits::string_padding(class_bits_));
  if (class_ == TypeClass::variable_string)
    return static_cast<StringPadding>(datatype_bits::variable_length_padding(class_bits_));
  return StringPadding::null_terminated;
}

CharacterSet Datatype::character_set() const {
  if (class_ == TypeClass::string)
    return static_cast<CharacterSet>(datatype_bits::string_character_set(class_bits_));
  if (class_ == TypeClass::variable_string)
    return static_cast<CharacterSet>(datatype_bits::variable_length_character_set(class_bits_));
  return CharacterSet::ascii;
}

ReferenceKind Datatype::reference_kind() const {
  return class_ == TypeClass::reference
             ? static_cast<ReferenceKind>(datatype_bits::reference_type(class_bits_))
             : ReferenceKind::object;
}

const Datatype::Parts& Datatype::parts() const {
  return parts_ ? *parts_ : of_process<const Parts>();
}

const std::string& Datatype::tag() const { return parts().tag; }
const std::vector<CompoundMember>& Datatype::members() const { return parts().members; }
const std::vector<EnumerationMember>& Datatype::values() const { return parts().values; }
const std::vector<std::uint32_t>& Datatype::dimensions() const { return parts().dimensions; }

const Datatype& Datatype::base() const {
  if (parts().base.empty()) reject(describe() + " has no base type");
  return parts().base.front();
}

bool Datatype::points_elsewhere() const {
  switch (class_) {
    case TypeClass::variable_string:
    case TypeClass::sequence:
    case TypeClass::reference:
      return true;
    case TypeClass::array:
      return base().points_elsewhere();
    case TypeClass::compound:
      return std::any_of(members().begin(), members().end(),
                         [](const CompoundMember& m) { return m.type.points_elsewhere(); });
    default:
      return false;
  }
}

std::uint8_t Datatype::class_number() const {
  constexpr std::uint8_t kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11};
  return kNumbers[static_cast<std::size_t>(class_)];
}

namespace {

template <class Named>
bool equal_in_any_order(const std::vector<Named>& a, const std::vector<Named>& b) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  const auto by_name = [](const std::vector<Named>& all) {
    std::vector<const Named*> sorted;
    sorted.reserve(all.size());
    for (const Named& one : all) sorted.push_back(&one);
    std::ranges::sort(sorted, {}, [](const Named* one) -> std::string_view { return one->name; });
    return sorted;
  };
  return std::ranges::equal(by_name(a), by_name(b),
                            [](const Named* one, const Named* other) { return *one == *other; });
}

}  // namespace

bool Datatype::Parts::equals(const Parts& other) const {
  return tag == other.tag && base == other.base && dimensions == other.dimensions &&
         equal_in_any_order(members, other.members) && equal_in_any_order(values, other.values);
}

bool operator==(const Datatype& a, const Datatype& b) {
  if (a.class_ != b.class_ || a.size_ != b.size_ || a.class_bits_ != b.class_bits_ ||
      a.bits_ != b.bits_ ||
      (a.class_ == TypeClass::floating && a.float_layout() != b.float_layout()))
    return false;
  return a.parts_ == b.parts_ || a.parts().equals(b.parts());
}

}  // namespace onecast
