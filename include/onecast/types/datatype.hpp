#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "onecast/base/character_set.hpp"

namespace onecast {

namespace types {
struct DatatypeAccess;
}

/// The classes of the specification's Datatype message; variable-length strings are a class of
/// their own.
enum class TypeClass : std::uint8_t {
  integer,   ///< "fixed-point"
  floating,  ///< "floating-point"
  time,
  string,  ///< a string of fixed length
  bitfield,
  opaque,
  compound,
  reference,
  enumeration,
  variable_string,  ///< a string of variable length
  sequence,         ///< any other "variable-length"
  array,
  complex,
};

/// The byte order of a number. VAX: 16-bit words, the most significant word first, each
/// little-endian.
enum class ByteOrder : std::uint8_t { little, big, vax };
/// The padding of a string of fixed length. The values are those of the specification.
enum class StringPadding : std::uint8_t { null_terminated, null_padded, space_padded };
/// The kind of a reference. The values are those of the specification; those from 2 on came with
/// HDF5 1.12.
enum class ReferenceKind : std::uint8_t {
  object,
  region,
  revised_object,  ///< a type of this kind may hold any revised kind
  revised_region,
  revised_attribute,
};
/// The treatment of the most significant bit of a mantissa. The values are those of the
/// specification.
enum class Normalization : std::uint8_t { none, always_set, implied };

/// The bits of a number within its bytes, which form one little-endian integer; bit 0 is the
/// lowest.
struct BitRange {
  std::uint16_t offset = 0;
  std::uint16_t precision = 0;

  friend bool operator==(const BitRange&, const BitRange&) = default;
};

/// The positions of sign, exponent and mantissa of a floating-point number, in the specification's
/// terms.
struct FloatLayout {
  std::uint8_t sign_location = 0;
  std::uint8_t exponent_location = 0;
  std::uint8_t exponent_size = 0;
  std::uint8_t mantissa_location = 0;
  std::uint8_t mantissa_size = 0;
  std::uint32_t exponent_bias = 0;
  Normalization normalization = Normalization::implied;

  friend bool operator==(const FloatLayout&, const FloatLayout&) = default;
};

struct CompoundMember;
struct EnumerationMember;

namespace detail {

/// Recognizes std::complex without including its header.
template <class T>
concept ComplexNumber = requires(const T& number, typename T::value_type part) {
  requires std::is_floating_point_v<decltype(part)>;
  requires sizeof(T) == 2 * sizeof(part);
  { number.real() } -> std::same_as<decltype(part)>;
  { number.imag() } -> std::same_as<decltype(part)>;
};

}  // namespace detail

/// A C++ type for which Datatype::of() returns a datatype.
template <class T>
concept NativeElement = std::is_arithmetic_v<T> || detail::ComplexNumber<T>;

/// The type of one element of a dataset or attribute. A value; copies share their parts, and types
/// without parts allocate no memory. None of its functions communicates. Functions that create a
/// type throw Error (invalid_argument) for invalid arguments. @independent
class Datatype {
 public:
  /// @param size 1 to 8191 bytes
  static Datatype integer(std::size_t size, bool is_signed, ByteOrder order = ByteOrder::little);
  /// Makes an integer type that uses only some of its bits.
  static Datatype integer(std::size_t size, bool is_signed, ByteOrder order, BitRange bits);
  /// Makes an IEEE 754 type. @param size 2, 4, 8 or 16 bytes
  static Datatype floating(std::size_t size, ByteOrder order = ByteOrder::little);
  /// Makes any other floating-point type.
  static Datatype floating(std::size_t size, ByteOrder order, BitRange bits, FloatLayout layout);
  /// The upper half of an IEEE 754 type of 4 bytes.
  static Datatype bfloat16(ByteOrder order = ByteOrder::little);
  /// The 80-bit extended type of x86 processors, as the HDF5 library describes it. @param size at
  /// least 10 bytes
  static Datatype float80(std::size_t size = 16, ByteOrder order = ByteOrder::little);
  /// A time of 4 or 8 bytes.
  static Datatype time(std::size_t size, ByteOrder order = ByteOrder::little);
  /// A string of fixed length. @param size bytes, at least 1, including the terminator if there is
  /// one
  static Datatype string(std::size_t size, StringPadding padding = StringPadding::null_terminated,
                         CharacterSet set = CharacterSet::ascii);
  /// A string of variable length.
  static Datatype variable_string(CharacterSet set = CharacterSet::utf8);
  static Datatype bitfield(std::size_t size, ByteOrder order = ByteOrder::little);
  /// Makes a type of uninterpreted bytes. @param tag describes them, up to 255 bytes
  static Datatype opaque(std::size_t size, std::string tag = {});
  /// A struct of at least one member. Throws Error (invalid_argument) if a member lies outside of
  /// the struct, overlaps another, has no name, or has the name of another.
  /// @param size bytes of one element, including padding
  static Datatype compound(std::size_t size, std::vector<CompoundMember> members);
  static Datatype reference(ReferenceKind kind = ReferenceKind::object);
  /// Makes a type that gives names to values of an integer type of up to 64 bits.
  static Datatype enumeration(const Datatype& base, std::vector<EnumerationMember> members);
  /// A sequence of variable length.
  static Datatype sequence(const Datatype& base);
  /// @param dimensions 1 to 32, none of them 0
  static Datatype array(const Datatype& base, std::vector<std::uint32_t> dimensions);
  /// Makes the type of complex numbers as h5py stores them: a compound of two floating-point
  /// numbers, r and i. Every version of HDF5 reads it.
  static Datatype complex_pair(const Datatype& base);
  /// Makes a type of the class for complex numbers (two floating-point numbers) that HDF5 has had
  /// since version 2.0. In a file of Profile::compatible it is stored as complex_pair().
  static Datatype complex(const Datatype& base);

  /// The native type of C++'s T: an integer, float, double or long double, or the complex_pair() of
  /// a std::complex.
  template <class T>
  static Datatype of() {
    static_assert(NativeElement<T>, "an integer, a floating-point type, or std::complex");
    if constexpr (detail::ComplexNumber<T>)
      return complex_pair(of<typename T::value_type>());
    else if constexpr (std::is_same_v<T, long double>)
      return long_double();
    else if constexpr (std::is_floating_point_v<T>)
      return floating(sizeof(T));
    else
      return integer(sizeof(T), std::is_signed_v<T>);
  }

  [[nodiscard]] TypeClass type_class() const { return class_; }
  /// The size of one element in bytes.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The byte order of an integer, floating-point type, time or bitfield.
  [[nodiscard]] ByteOrder byte_order() const;
  /// True for signed integers and for floating-point types.
  [[nodiscard]] bool is_signed() const;
  /// The bits that an integer, floating-point type or bitfield uses.
  [[nodiscard]] BitRange bits() const { return bits_; }
  /// The layout of a floating-point type.
  [[nodiscard]] FloatLayout float_layout() const;
  /// The padding of a string.
  [[nodiscard]] StringPadding padding() const;
  /// The character set of a string.
  [[nodiscard]] CharacterSet character_set() const;
  /// The kind of a reference type.
  [[nodiscard]] ReferenceKind reference_kind() const;
  /// The tag of an opaque type.
  [[nodiscard]] const std::string& tag() const;
  /// The members of a compound, in stored order; empty for other classes.
  [[nodiscard]] const std::vector<CompoundMember>& members() const;
  /// The members of an enumeration, in stored order; empty for other classes.
  [[nodiscard]] const std::vector<EnumerationMember>& values() const;
  /// The type of which an enumeration, sequence, array or complex type consists. Throws Error
  /// (invalid_argument) for other classes.
  [[nodiscard]] const Datatype& base() const;
  /// The dimensions of an array; empty for other classes.
  [[nodiscard]] const std::vector<std::uint32_t>& dimensions() const;
  /// True if an element, or a part of it, holds an address in the file instead of a value: a string
  /// or sequence of variable length, or a reference.
  [[nodiscard]] bool points_elsewhere() const;

  /// Describes the type in words: "int64 little-endian", "string of 33 bytes", "array [2, 3] of
  /// float32 little-endian".
  [[nodiscard]] std::string describe() const;

  /// The number of the class in the specification's Datatype message, 0 (fixed-point) to 11.
  [[nodiscard]] std::uint8_t class_number() const;
  /// The specification's "Class Bit Field". For integers, floating-point types and bitfields it
  /// also says how unused bits are padded, which no function above returns.
  [[nodiscard]] std::uint32_t class_bits() const { return class_bits_; }

  /// True if equal bytes have equal values in both types, as for H5Tequal: the members of a
  /// compound and the names of an enumeration may be in any order.
  friend bool operator==(const Datatype& a, const Datatype& b);

 private:
  friend struct types::DatatypeAccess;
  struct Parts;

  Datatype() = default;
  static Datatype long_double();
  [[nodiscard]] const Parts& parts() const;

  TypeClass class_ = TypeClass::integer;
  // The layout of a floating-point type, in the specification's order.
  std::uint8_t exponent_location_ = 0;
  std::uint8_t exponent_size_ = 0;
  std::uint8_t mantissa_location_ = 0;
  std::uint8_t mantissa_size_ = 0;
  BitRange bits_;
  std::uint32_t class_bits_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t exponent_bias_ = 0;
  std::shared_ptr<const Parts> parts_;
};

/// One member of a compound type.
struct CompoundMember {
  std::string name;
  std::size_t offset;  ///< bytes from the start of the element
  Datatype type;

  friend bool operator==(const CompoundMember&, const CompoundMember&) = default;
};

/// One name of an enumeration.
struct EnumerationMember {
  std::string name;
  std::int64_t value;  ///< if the base type is unsigned, the bits of the value

  friend bool operator==(const EnumerationMember&, const EnumerationMember&) = default;
};

}  // namespace onecast
