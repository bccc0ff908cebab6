#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/objects/dataspace_message.hpp"
#include "format/record.hpp"

namespace onecast {

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

/// "IV.A.2.d. The Datatype Message", versions 1 to 5, all classes. Plain classes allocate nothing.
/// Write version 1 for plain classes and 3 for compound, enumeration and array: HDF5 1.8 reads
/// both.
struct DatatypeMessage {
  static constexpr const char* kTitle = "Datatype Message";
  static constexpr unsigned kMaxDepth = 32;

  std::uint8_t version = 1;
  DatatypeClass type_class = DatatypeClass::fixed_point;
  std::uint8_t depth = 0;              ///< context: how many datatypes this one lies in
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

/// One member of a compound datatype. Version 1 members may be arrays by themselves: then
/// array_dimensions is not empty and `type` is the type of one element.
struct DatatypeMember {
  std::string_view name;
  std::uint64_t byte_offset = 0;
  std::vector<std::uint32_t> array_dimensions;
  DatatypeMessage type;

  /// The member's whole type: `type`, or for a version 1 array the equal array datatype.
  [[nodiscard]] DatatypeMessage whole_type() const;
};

}  // namespace onecast

#include "format/objects/datatype_fields.hpp"
