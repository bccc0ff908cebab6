#include "types/datatype_codec.hpp"

#include <algorithm>
#include <deque>

#include "onecast/base/error.hpp"
#include "types/conversion.hpp"
#include "types/datatype_access.hpp"

namespace onecast::types {
namespace {

constexpr std::uint32_t kBitsOfFixedPoint = 0x0f;
constexpr std::uint32_t kBitsOfFloatingPoint = 0xff7f;
constexpr std::uint32_t kBitsOfTime = 0x01;
constexpr std::uint32_t kBitsOfString = 0xff;
constexpr std::uint32_t kBitsOfBitField = 0x07;
constexpr std::uint32_t kBitsOfReference = 0xff;
constexpr std::uint32_t kBitsOfVariableString = 0xfff;

Datatype plain(const DatatypeMessage& m, TypeClass type_class, std::uint32_t kept_bits) {
  return DatatypeAccess::with_bits(
      DatatypeAccess::make(type_class, m.size, m.class_bits & kept_bits),
      {m.bit_offset, m.bit_precision});
}

Datatype composed(const DatatypeMessage& m, TypeClass type_class, DatatypeAccess::Parts parts,
                  std::uint32_t class_bits = 0) {
  return DatatypeAccess::with_parts(DatatypeAccess::make(type_class, m.size, class_bits),
                                    std::move(parts));
}

Datatype base_of(const DatatypeMessage& m) { return to_datatype(m.base.front()); }

Datatype native_integer(const Datatype& like) {
  return like.is_signed() ? Datatype::of<std::int64_t>() : Datatype::of<std::uint64_t>();
}

Datatype compound(const DatatypeMessage& m) {
  std::vector<CompoundMember> members;
  members.reserve(m.members.size());
  for (const DatatypeMember& member : m.members)
    members.push_back({std::string(member.name), static_cast<std::size_t>(member.byte_offset),
                       to_datatype(member.whole_type())});
  return composed(m, TypeClass::compound, {{}, std::move(members), {}, {}, {}});
}

Datatype enumeration(const DatatypeMessage& m) {
  const Datatype base = base_of(m);
  if (base.bits().precision > 64)
    throw Error(ErrorCode::unsupported,
                "datatype: not supported: an enumeration of more than 64 bits");
  std::vector<std::int64_t> values(m.names.size());
  const Conversion conversion(base, native_integer(base), "enumeration");
  conversion.run(m.values, std::as_writable_bytes(std::span(values)));
  std::vector<EnumerationMember> members;
  members.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    members.push_back({std::string(m.names[i]), values[i]});
  return composed(m, TypeClass::enumeration, {{}, {}, std::move(members), {base}, {}});
}

/// The bytes to which a message refers.
using Storage = std::deque<std::vector<std::byte>>;

DatatypeMessage message_of(const Datatype& type, Storage& storage);

void take_base(const Datatype& type, DatatypeMessage& m, Storage& storage) {
  m.base.push_back(message_of(type.base(), storage));
}

void take_members(const Datatype& type, DatatypeMessage& m, Storage& storage) {
  m.class_bits = static_cast<std::uint32_t>(type.members().size());
  for (const CompoundMember& member : type.members()) {
    DatatypeMember& out = m.members.emplace_back();
    out.name = member.name;
    out.byte_offset = member.offset;
    out.type = message_of(member.type, storage);
  }
}

void take_values(const Datatype& type, DatatypeMessage& m, Storage& storage) {
  const Datatype& base = type.base();
  std::vector<std::int64_t> values;
  for (const EnumerationMember& member : type.values()) {
    m.names.emplace_back(member.name);
    values.push_back(member.value);
  }
  m.class_bits = static_cast<std::uint32_t>(values.size());
  take_base(type, m, storage);
  auto& bytes = storage.emplace_back(values.size() * base.size());
  const Conversion conversion(native_integer(base), base, "enumeration");
  conversion.run(std::as_bytes(std::span(values)), bytes);
  m.values = bytes;
}

/// Sets the version of a datatype and all its parts, since stock readers expect one version.
void set_version(DatatypeMessage& m, std::uint8_t version) {
  m.version = version;
  for (DatatypeMember& member : m.members) set_version(member.type, version);
  for (DatatypeMessage& base : m.base) set_version(base, version);
}

/// The lowest version that can express the type, and that HDF5 1.8 reads, if there is one.
std::uint8_t version_of(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::compound: {
      std::uint8_t version = 3;
      for (const CompoundMember& m : type.members())
        version = std::max(version, version_of(m.type));
      return version;
    }
    case TypeClass::enumeration:
    case TypeClass::array:
      return std::max<std::uint8_t>(3, version_of(type.base()));
    case TypeClass::sequence:
      return version_of(type.base());
    case TypeClass::reference:
      return type.reference_kind() >= ReferenceKind::revised_object ? 4 : 1;
    case TypeClass::complex:
      return 5;
    case TypeClass::floating:
      return type.byte_order() == ByteOrder::vax ? 3 : 1;
    default:
      return 1;
  }
}

DatatypeMessage message_of(const Datatype& type, Storage& storage) {
  DatatypeMessage m;
  m.type_class = static_cast<DatatypeClass>(type.class_number());
  m.size = static_cast<std::uint32_t>(type.size());
  m.class_bits = type.class_bits();
  m.bit_offset = type.bits().offset;
  m.bit_precision = type.bits().precision;
  switch (type.type_class()) {
    case TypeClass::floating: {
      const FloatLayout f = type.float_layout();
      m.exponent_location = f.exponent_location;
      m.exponent_size = f.exponent_size;
      m.mantissa_location = f.mantissa_location;
      m.mantissa_size = f.mantissa_size;
      m.exponent_bias = f.exponent_bias;
      break;
    }
    case TypeClass::opaque:
      m.tag = type.tag();
      // The tag's size with its padding and room for a NUL.
      m.class_bits =
          static_cast<std::uint32_t>(std::min<std::size_t>((type.tag().size() + 8) / 8 * 8, 248));
      if (type.tag().size() > 248) m.class_bits = 255;
      break;
    case TypeClass::compound:
      take_members(type, m, storage);
      break;
    case TypeClass::enumeration:
      take_values(type, m, storage);
      break;
    case TypeClass::variable_string:
      // Stock HDF5 stores this base type with strings of variable length, and its conversions need
      // it.
      m.base.push_back(message_of(Datatype::integer(1, false), storage));
      break;
    case TypeClass::array:
      m.array_dimensions = type.dimensions();
      take_base(type, m, storage);
      break;
    case TypeClass::sequence:
    case TypeClass::complex:
      take_base(type, m, storage);
      break;
    default:
      break;
  }
  return m;
}

}  // namespace

Datatype to_datatype(const DatatypeMessage& m) {
  switch (m.type_class) {
    case DatatypeClass::fixed_point:
      return plain(m, TypeClass::integer, kBitsOfFixedPoint);
    case DatatypeClass::floating_point:
      return DatatypeAccess::with_float(plain(m, TypeClass::floating, kBitsOfFloatingPoint), m);
    case DatatypeClass::time:
      return plain(m, TypeClass::time, kBitsOfTime);
    case DatatypeClass::string:
      return DatatypeAccess::make(TypeClass::string, m.size, m.class_bits & kBitsOfString);
    case DatatypeClass::bit_field:
      return plain(m, TypeClass::bitfield, kBitsOfBitField);
    case DatatypeClass::opaque:
      return composed(m, TypeClass::opaque, {std::string(m.tag), {}, {}, {}, {}});
    case DatatypeClass::compound:
      return compound(m);
    case DatatypeClass::reference:
      return DatatypeAccess::make(TypeClass::reference, m.size, m.class_bits & kBitsOfReference);
    case DatatypeClass::enumeration:
      return enumeration(m);
    case DatatypeClass::variable_length:
      if ((m.class_bits & 0x0fU) == datatype_bits::kVariableLengthString)
        return DatatypeAccess::make(TypeClass::variable_string, m.size,
                                    m.class_bits & kBitsOfVariableString);
      return composed(m, TypeClass::sequence, {{}, {}, {}, {base_of(m)}, {}});
    case DatatypeClass::array:
      return composed(m, TypeClass::array, {{}, {}, {}, {base_of(m)}, m.array_dimensions});
    case DatatypeClass::complex:
      return composed(m, TypeClass::complex, {{}, {}, {}, {base_of(m)}, {}},
                      m.class_bits & datatype_bits::kComplexHomogeneous);
  }
  throw Error(ErrorCode::format, "datatype: the class is above 11");
}

std::vector<std::byte> encode_datatype(const Datatype& type, const FileContext& file) {
  Storage storage;
  DatatypeMessage m = message_of(type, storage);
  set_version(m, version_of(type));
  std::vector<std::byte> bytes(encoded_size(file, m));
  ByteWriter out(bytes);
  encode(out, file, m);
  return bytes;
}

}  // namespace onecast::types
