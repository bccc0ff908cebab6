#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"
#include "format/objects/dataspace_message.hpp"
#include "format/record.hpp"

namespace onecast::format {

enum class DatatypeClass : std::uint8_t {
  fixed_point = 0,
  floating_point = 1,
  time = 2,
  string = 3,
  bit_field = 4,
  opaque = 5,
  compound = 6,
  reference = 7,
  enumeration = 8,
  variable_length = 9,
  array = 10,
  complex = 11,
};

/// Bits of "Class Bit Field", by class.
namespace datatype_bits {
inline constexpr std::uint32_t kBigEndian = 0x01;  // fixed_point, floating_point, time, bit_field
inline constexpr std::uint32_t kSigned = 0x08;     // fixed_point
inline constexpr std::uint32_t kMantissaImplied =
    0x20;                                         // floating_point: most significant bit is 1
inline constexpr std::uint32_t kVaxOrder = 0x40;  // floating_point, with kBigEndian
inline constexpr std::uint32_t kVariableLengthString = 0x01;  // variable_length
inline constexpr std::uint32_t kComplexHomogeneous = 0x01;    // complex
constexpr std::uint32_t float_sign_location(std::uint32_t bits) { return bits >> 8U & 0xffU; }
constexpr std::uint32_t string_padding(std::uint32_t bits) { return bits & 0x0fU; }
constexpr std::uint32_t string_character_set(std::uint32_t bits) { return bits >> 4U & 0x0fU; }
constexpr std::uint32_t variable_length_padding(std::uint32_t bits) { return bits >> 4U & 0x0fU; }
constexpr std::uint32_t variable_length_character_set(std::uint32_t bits) {
  return bits >> 8U & 0x0fU;
}
constexpr std::uint32_t member_count(std::uint32_t bits) {
  return bits & 0xffffU;
}  // compound, enumeration
constexpr std::uint32_t reference_type(std::uint32_t bits) { return bits & 0x0fU; }
}  // namespace datatype_bits

struct DatatypeMember;

/// "IV.A.2.d. The Datatype Message", versions 1 to 5, all classes. Plain classes allocate no
/// memory. Writers use version 1 for plain classes and 3 for compound, enumeration and array, since
/// HDF5 1.8 reads both.
struct DatatypeMessage {
  static constexpr const char* kTitle = "Datatype Message";
  static constexpr unsigned kMaxDepth = 32;

  std::uint8_t version = 1;
  DatatypeClass type_class = DatatypeClass::fixed_point;
  std::uint8_t depth = 0;              ///< context: the number of datatypes that contain this one
  std::uint8_t exponent_location = 0;  ///< floating_point, here and the next four
  std::uint8_t exponent_size = 0;
  std::uint8_t mantissa_location = 0;
  std::uint8_t mantissa_size = 0;
  std::uint32_t exponent_bias = 0;
  std::uint32_t class_bits = 0;         ///< "Class Bit Field", 24 bits
  std::uint32_t size = 0;               ///< of one element, in bytes
  std::uint16_t bit_offset = 0;         ///< fixed_point, floating_point, bit_field
  std::uint16_t bit_precision = 0;      ///< these and time
  std::string_view tag;                 ///< opaque
  std::vector<DatatypeMember> members;  ///< compound
  std::vector<DatatypeMessage> base;    ///< enumeration, variable_length, array, complex: one
  std::vector<std::uint32_t> array_dimensions;  ///< array
  std::vector<std::string_view> names;          ///< enumeration
  ByteView values;  ///< enumeration: names.size() values of the base type

  [[nodiscard]] DatatypeMessage context() const;

  template <class V, class Self>
  static void fields(V& v, Self& s);

 private:
  template <class V, class Self>
  static void bit_range(V& v, Self& s);
  template <class V, class Self>
  static void opaque(V& v, Self& s);
  template <class V, class Self>
  static void compound(V& v, Self& s);
  template <class V, class Self>
  static void enumeration(V& v, Self& s);
  template <class V, class Self>
  static void array(V& v, Self& s);
  template <class V, class Self>
  static void variable_length(V& v, Self& s);
  template <class V, class Self>
  static void complex(V& v, Self& s);
  template <class V, class Self>
  static void base_type(V& v, const char* field, Self& s);
};

/// One member of a compound datatype. In version 1 a member may itself be an array; then
/// array_dimensions is not empty and `type` is the type of one element.
struct DatatypeMember {
  std::string_view name;
  std::uint64_t byte_offset = 0;
  std::vector<std::uint32_t> array_dimensions;
  DatatypeMessage type;

  /// The member's whole type: `type`, or for a version 1 array the equivalent array datatype.
  [[nodiscard]] DatatypeMessage whole_type() const;
};

// The field lists of the classes follow, since a member is a whole DatatypeMessage.

inline DatatypeMessage DatatypeMessage::context() const {
  DatatypeMessage c;
  c.depth = depth;
  return c;
}

template <class V, class Self>
void DatatypeMessage::fields(V& v, Self& s) {
  v.check(s.depth < kMaxDepth, "Class and Version", "more than 32 datatypes are nested");
  auto class_and_version = static_cast<std::uint8_t>(static_cast<unsigned>(s.version) << 4U |
                                                     static_cast<unsigned>(s.type_class));
  v.u8("Class and Version", class_and_version);
  if constexpr (V::kDecodes) {
    s.version = static_cast<std::uint8_t>(class_and_version >> 4U);
    s.type_class = static_cast<DatatypeClass>(class_and_version & 0x0fU);
  }
  v.versions("Class and Version", s.version, 1, 5);
  v.u24("Class Bit Field", s.class_bits);
  v.u32("Size", s.size);
  v.check(s.size != 0, "Size", "is 0");
  switch (s.type_class) {
    case DatatypeClass::fixed_point:
    case DatatypeClass::bit_field:
      return bit_range(v, s);
    case DatatypeClass::floating_point:
      bit_range(v, s);
      v.u8("Exponent Location", s.exponent_location);
      v.u8("Exponent Size", s.exponent_size);
      v.u8("Mantissa Location", s.mantissa_location);
      v.u8("Mantissa Size", s.mantissa_size);
      v.u32("Exponent Bias", s.exponent_bias);
      v.require((s.class_bits >> 4U & 3U) != 3, "Class Bit Field", "mantissa normalization 3");
      return;
    case DatatypeClass::time:
      v.u16("Bit Precision", s.bit_precision);
      return;
    case DatatypeClass::string:
      v.require(datatype_bits::string_padding(s.class_bits) <= 2, "Class Bit Field",
                "a padding type above 2");
      v.require(datatype_bits::string_character_set(s.class_bits) <= 1, "Class Bit Field",
                "a character set above 1");
      return;
    case DatatypeClass::reference:
      v.require(datatype_bits::reference_type(s.class_bits) <= 4, "Class Bit Field",
                "a reference type above 4");
      return;
    case DatatypeClass::opaque:
      return opaque(v, s);
    case DatatypeClass::compound:
      return compound(v, s);
    case DatatypeClass::enumeration:
      return enumeration(v, s);
    case DatatypeClass::variable_length:
      return variable_length(v, s);
    case DatatypeClass::complex:
      return complex(v, s);
    case DatatypeClass::array:
      return array(v, s);
    default:
      v.check(false, "Class and Version", "the class is above 11");
  }
}

template <class V, class Self>
void DatatypeMessage::bit_range(V& v, Self& s) {
  v.u16("Bit Offset", s.bit_offset);
  v.u16("Bit Precision", s.bit_precision);
  v.check(s.bit_precision != 0, "Bit Precision", "is 0");
  v.check(std::uint64_t{s.bit_offset} + s.bit_precision <= std::uint64_t{s.size} * 8,
          "Bit Precision", "reaches over the datatype's size");
}

template <class V, class Self>
void DatatypeMessage::opaque(V& v, Self& s) {
  // The class bits have the tag's length including padding; a tag that fills it has no NUL.
  const std::size_t room = s.class_bits & 0xffU;
  v.text("ASCII Tag", s.tag, room);
  if constexpr (V::kDecodes) {
    s.tag = s.tag.substr(0, s.tag.find('\0'));
  } else {
    v.reserved("ASCII Tag", room - std::min(room, s.tag.size()));
  }
}

template <class V, class Self>
void DatatypeMessage::compound(V& v, Self& s) {
  const std::uint32_t count = datatype_bits::member_count(s.class_bits);
  v.check(count != 0, "Class Bit Field", "a compound datatype without members");
  // In version 3 the byte offset is as wide as the compound's size requires.
  std::size_t offset_width = 4;
  if (s.version >= 3)
    for (offset_width = 1; offset_width < 4 && s.size >> (8 * offset_width) != 0;) ++offset_width;
  const std::size_t name_multiple = s.version < 3 ? 8 : 1;
  constexpr std::size_t kSmallestMember = 10;

  v.list("Members", s.members, count, kSmallestMember, [&](V& each, auto& member) {
    each.c_text("Name", member.name);
    each.reserved("Name", padding(member.name.size() + 1, name_multiple));
    each.uint("Byte Offset of Member", member.byte_offset, offset_width);
    if (s.version == 1) {
      auto rank = static_cast<std::uint8_t>(member.array_dimensions.size());
      each.u8("Dimensionality", rank);
      each.check(rank <= 4, "Dimensionality", "is above 4");
      each.reserved("Reserved", 3);
      std::uint32_t permutation = 0;
      each.u32("Dimension Permutation", permutation);
      each.reserved("Reserved", 4);
      if constexpr (V::kDecodes) member.array_dimensions.resize(rank);
      for (std::size_t i = 0; i < 4; ++i) {
        std::uint32_t unused = 0;
        each.u32("Dimension #n Size", i < rank ? member.array_dimensions[i] : unused);
      }
    }
    if constexpr (V::kDecodes) member.type.depth = static_cast<std::uint8_t>(s.depth + 1);
    each.record("Member Type Message", member.type);
    std::uint64_t elements = 1;
    for (const std::uint32_t n : member.array_dimensions) {
      each.check(n != 0 && elements <= s.size / n, "Dimension #n Size",
                 "is 0, or the array exceeds the compound");
      elements *= n;
    }
    each.check(
        member.byte_offset <= s.size && elements * member.type.size <= s.size - member.byte_offset,
        "Byte Offset of Member", "the member lies outside the compound");
  });
}

template <class V, class Self>
void DatatypeMessage::enumeration(V& v, Self& s) {
  const std::uint32_t count = datatype_bits::member_count(s.class_bits);
  base_type(v, "Base Type", s);
  const DatatypeMessage& base = s.base.front();
  v.require(base.type_class == DatatypeClass::fixed_point, "Base Type",
            "an enumeration of non-integers");
  v.check(base.size == s.size, "Size", "differs from the base type's");
  v.list("Names", s.names, count, 1, [&](V& each, auto& name) {
    each.c_text("Name", name);
    each.reserved("Name", padding(name.size() + 1, s.version < 3 ? 8 : 1));
  });
  v.view("Values", s.values, std::uint64_t{count} * base.size);
}

template <class V, class Self>
void DatatypeMessage::array(V& v, Self& s) {
  // The specification starts at version 2. Old files have version 1, with the same fields.
  auto rank = static_cast<std::uint8_t>(s.array_dimensions.size());
  v.u8("Dimensionality", rank);
  v.check(rank != 0 && rank <= kMaxRank, "Dimensionality", "is not within 1 to 32");
  if (s.version < 3) v.reserved("Reserved", 3);
  std::uint64_t elements = 1;
  v.list("Dimensions", s.array_dimensions, rank, 4, [&](V& each, auto& size) {
    each.u32("Dimension #n Size", size);
    each.check(size != 0 && elements <= s.size / size, "Dimension #n Size",
               "does not fit the array's size");
    elements *= size;
  });
  for (std::uint32_t i = 0; s.version < 3 && i < rank; ++i) {
    std::uint32_t permutation = i;
    v.u32("Permutation Index #n", permutation);  // unused, and not always correct
  }
  base_type(v, "Base Type", s);
  v.check(elements * s.base.front().size == s.size, "Size", "is not that of the array's elements");
}

template <class V, class Self>
void DatatypeMessage::variable_length(V& v, Self& s) {
  v.require((s.class_bits & 0x0fU) <= datatype_bits::kVariableLengthString, "Class Bit Field",
            "a variable-length type above 1");
  v.require(datatype_bits::variable_length_padding(s.class_bits) <= 2, "Class Bit Field",
            "a padding type above 2");
  v.require(datatype_bits::variable_length_character_set(s.class_bits) <= 1, "Class Bit Field",
            "a character set above 1");
  base_type(v, "Base Type", s);
}

template <class V, class Self>
void DatatypeMessage::complex(V& v, Self& s) {
  base_type(v, "Base Type", s);
  v.require(s.base.front().type_class == DatatypeClass::floating_point, "Base Type",
            "complex numbers of other than floating-point numbers");
  v.check(s.size == 2 * std::uint64_t{s.base.front().size}, "Size", "is not twice the base type's");
}

template <class V, class Self>
void DatatypeMessage::base_type(V& v, const char* field, Self& s) {
  if constexpr (V::kDecodes) {
    s.base.resize(1);
    s.base.front().depth = static_cast<std::uint8_t>(s.depth + 1);
  }
  v.record(field, s.base.at(0));
}

inline DatatypeMessage DatatypeMember::whole_type() const {
  if (array_dimensions.empty()) return type;
  DatatypeMessage whole;
  whole.version = 2;
  whole.type_class = DatatypeClass::array;
  whole.size = type.size;
  for (const std::uint32_t n : array_dimensions) whole.size *= n;
  whole.array_dimensions = array_dimensions;
  whole.base.push_back(type);
  return whole;
}

}  // namespace onecast::format
