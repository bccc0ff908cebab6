#include "onecast/objects/datatype.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "objects/datatype_codec.hpp"
#include "onecast/base/error.hpp"

namespace onecast {
namespace {

[[noreturn]] void reject(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "datatype: " + what);
}

constexpr const char* kClassNames[] = {"integer",     "floating-point",  "time",     "string",
                                       "bitfield",    "opaque",          "compound", "reference",
                                       "enumeration", "variable-length", "array",    "complex"};

/// Where sign, exponent and mantissa of an IEEE 754 type lie.
struct Ieee {
  std::size_t size;
  std::uint8_t exponent_location, exponent_size, mantissa_size;
  std::uint32_t bias;
};
constexpr Ieee kIeee[] = {{2, 10, 5, 10, 15}, {4, 23, 8, 23, 127}, {8, 52, 11, 52, 1023}};

bool is_ieee(const DatatypeMessage& m) {
  return std::any_of(std::begin(kIeee), std::end(kIeee), [&](const Ieee& f) {
    return m.size == f.size && m.bit_offset == 0 && m.bit_precision == 8 * f.size &&
           m.exponent_location == f.exponent_location && m.exponent_size == f.exponent_size &&
           m.mantissa_location == 0 && m.mantissa_size == f.mantissa_size &&
           m.exponent_bias == f.bias &&
           datatype_bits::float_sign_location(m.class_bits) == 8 * f.size - 1 &&
           (m.class_bits & 0x70U) == datatype_bits::kMantissaImplied;
  });
}

bool is_plain_integer(const DatatypeMessage& m) {
  const bool power = m.size == 1 || m.size == 2 || m.size == 4 || m.size == 8;
  return power && m.bit_offset == 0 && m.bit_precision == 8 * m.size;
}

}  // namespace

/// Builds and takes apart Datatypes for the codec.
struct DatatypeAccess {
  static Datatype make(TypeClass type_class, DatatypeClass number, std::size_t size) {
    Datatype t;
    t.class_ = type_class;
    t.class_number_ = static_cast<std::uint8_t>(number);
    t.size_ = size;
    return t;
  }
  static Datatype from(const DatatypeMessage& m);
  static Datatype compound(std::size_t size, std::vector<CompoundMember> members) {
    Datatype t = make(TypeClass::compound, DatatypeClass::compound, size);
    t.members_ = std::make_shared<const std::vector<CompoundMember>>(std::move(members));
    return t;
  }
  static void set_string(Datatype& t, std::uint32_t padding, std::uint32_t set) {
    t.padding_ = static_cast<StringPadding>(padding);
    t.set_ = static_cast<CharacterSet>(set);
  }
};

Datatype DatatypeAccess::from(const DatatypeMessage& m) {
  Datatype t = make(TypeClass::other, m.type_class, m.size);
  t.order_ = (m.class_bits & datatype_bits::kBigEndian) != 0 ? ByteOrder::big : ByteOrder::little;
  switch (m.type_class) {
    case DatatypeClass::fixed_point:
      if (is_plain_integer(m)) t.class_ = TypeClass::integer;
      t.signed_ = (m.class_bits & datatype_bits::kSigned) != 0;
      break;
    case DatatypeClass::floating_point:
      if (is_ieee(m)) t.class_ = TypeClass::floating;
      t.signed_ = true;
      break;
    case DatatypeClass::string: {
      const auto padding = datatype_bits::string_padding(m.class_bits);
      const auto set = datatype_bits::string_character_set(m.class_bits);
      t.order_ = ByteOrder::little;
      if (padding > 2 || set > 1 || m.size == 0) break;
      t.class_ = TypeClass::string;
      set_string(t, padding, set);
      break;
    }
    case DatatypeClass::variable_length: {
      t.order_ = ByteOrder::little;
      const auto set = datatype_bits::variable_length_character_set(m.class_bits);
      if ((m.class_bits & 0x0fU) != datatype_bits::kVariableLengthString || set > 1) break;
      t.class_ = TypeClass::variable_string;
      set_string(t, 0, set);
      break;
    }
    case DatatypeClass::compound: {
      std::vector<CompoundMember> members;
      members.reserve(m.members.size());
      for (const DatatypeMember& member : m.members)
        members.push_back({std::string(member.name), static_cast<std::size_t>(member.byte_offset),
                           from(member.whole_type())});
      return compound(m.size, std::move(members));
    }
    default:
      break;
  }
  return t;
}

Datatype Datatype::integer(std::size_t size, bool is_signed, ByteOrder order) {
  if (size != 1 && size != 2 && size != 4 && size != 8)
    reject(fmt::format("an integer has 1, 2, 4 or 8 bytes, not {}", size));
  Datatype t = DatatypeAccess::make(TypeClass::integer, DatatypeClass::fixed_point, size);
  t.signed_ = is_signed;
  t.order_ = order;
  return t;
}

Datatype Datatype::floating(std::size_t size, ByteOrder order) {
  if (size != 2 && size != 4 && size != 8)
    reject(fmt::format("a floating-point number has 2, 4 or 8 bytes, not {}", size));
  Datatype t = DatatypeAccess::make(TypeClass::floating, DatatypeClass::floating_point, size);
  t.signed_ = true;
  t.order_ = order;
  return t;
}

Datatype Datatype::string(std::size_t size, StringPadding padding, CharacterSet set) {
  if (size == 0 || size > UINT32_MAX) reject("a string has 1 byte to 4 GiB");
  Datatype t = DatatypeAccess::make(TypeClass::string, DatatypeClass::string, size);
  t.padding_ = padding;
  t.set_ = set;
  return t;
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
  std::size_t end = 0;
  for (const CompoundMember* m : by_offset) {
    if (m->name.empty()) reject("a compound member needs a name");
    if (m->offset < end) reject(fmt::format("compound member \"{}\" overlaps another", m->name));
    if (m->offset > size || m->type.size() > size - m->offset)
      reject(fmt::format("compound member \"{}\" leaves the {} bytes", m->name, size));
    end = m->offset + m->type.size();
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (members[i].name == members[j].name)
        reject(fmt::format("compound member \"{}\" is there twice", members[i].name));
  return DatatypeAccess::compound(size, std::move(members));
}

const std::vector<CompoundMember>& Datatype::members() const {
  static const std::vector<CompoundMember> kNone;
  return members_ ? *members_ : kNone;
}

std::string Datatype::describe() const {
  const char* order = order_ == ByteOrder::big ? "big-endian" : "little-endian";
  switch (class_) {
    case TypeClass::integer:
      return fmt::format("{}int{} {}", signed_ ? "" : "u", 8 * size_, order);
    case TypeClass::floating:
      return fmt::format("float{} {}", 8 * size_, order);
    case TypeClass::string:
      return fmt::format("string of {} bytes", size_);
    case TypeClass::variable_string:
      return "variable-length string";
    case TypeClass::compound: {
      std::string text = "compound {";
      for (const CompoundMember& m : members())
        text += fmt::format("{}: {}; ", m.name, m.type.describe());
      return text + "}";
    }
    default:
      return class_number_ < std::size(kClassNames)
                 ? fmt::format("{} of {} bytes", kClassNames[class_number_], size_)
                 : "unknown";
  }
}

bool operator==(const Datatype& a, const Datatype& b) {
  return a.class_ == b.class_ && a.class_number_ == b.class_number_ && a.size_ == b.size_ &&
         a.order_ == b.order_ && a.signed_ == b.signed_ && a.padding_ == b.padding_ &&
         a.set_ == b.set_ && a.members() == b.members();
}

Datatype to_datatype(const DatatypeMessage& message) { return DatatypeAccess::from(message); }

DatatypeMessage to_message(const Datatype& type) {
  DatatypeMessage m;
  m.type_class = static_cast<DatatypeClass>(type.class_number());
  m.size = static_cast<std::uint32_t>(type.size());
  const std::uint32_t order = type.byte_order() == ByteOrder::big ? datatype_bits::kBigEndian : 0;
  m.bit_precision = static_cast<std::uint16_t>(8 * type.size());
  switch (type.type_class()) {
    case TypeClass::integer:
      m.class_bits = order | (type.is_signed() ? datatype_bits::kSigned : 0);
      break;
    case TypeClass::floating: {
      const Ieee& f = *std::find_if(std::begin(kIeee), std::end(kIeee),
                                    [&](const Ieee& x) { return x.size == type.size(); });
      m.class_bits = order | datatype_bits::kMantissaImplied |
                     static_cast<std::uint32_t>(8 * f.size - 1) << 8U;
      m.exponent_location = f.exponent_location;
      m.exponent_size = f.exponent_size;
      m.mantissa_size = f.mantissa_size;
      m.exponent_bias = f.bias;
      break;
    }
    case TypeClass::string:
      m.class_bits = static_cast<std::uint32_t>(type.padding()) |
                     static_cast<std::uint32_t>(type.character_set()) << 4U;
      break;
    case TypeClass::compound:
      m.version = 3;
      m.class_bits = static_cast<std::uint32_t>(type.members().size());
      for (const CompoundMember& member : type.members()) {
        DatatypeMember& out = m.members.emplace_back();
        out.name = member.name;
        out.byte_offset = member.offset;
        out.type = to_message(member.type);
        // "A version 3 compound's members are of version 3" keeps stock readers content.
        out.type.version = 3;
      }
      break;
    default:
      throw Error(ErrorCode::unsupported, "datatype: cannot be written: " + type.describe());
  }
  return m;
}

bool must_swap(const Datatype& from, const Datatype& to, const std::string& where) {
  if (from == to) return false;
  const bool numbers =
      from.type_class() == TypeClass::integer || from.type_class() == TypeClass::floating;
  if (!numbers || from.type_class() != to.type_class() || from.size() != to.size() ||
      from.is_signed() != to.is_signed())
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{}: datatype: stored as {}, asked for as {}: only the byte order may differ",
                    where, from.describe(), to.describe()));
  return from.size() > 1;
}

void swap_bytes(std::span<std::byte> values, std::size_t size) {
  for (std::size_t i = 0; i + size <= values.size(); i += size)
    std::reverse(values.begin() + static_cast<std::ptrdiff_t>(i),
                 values.begin() + static_cast<std::ptrdiff_t>(i + size));
}

std::string unpad(ByteView value, StringPadding padding) {
  std::string text(reinterpret_cast<const char*>(value.data()), value.size());
  if (padding == StringPadding::null_terminated) {
    text.resize(std::min(text.find('\0'), text.size()));
  } else {
    const char pad = padding == StringPadding::null_padded ? '\0' : ' ';
    text.resize(text.find_last_not_of(pad) + 1);
  }
  return text;
}

}  // namespace onecast
