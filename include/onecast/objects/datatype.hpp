#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "onecast/base/character_set.hpp"

namespace onecast {

/// The classes of the specification's Datatype message, with variable-length strings named apart.
enum class TypeClass : std::uint8_t {
  integer,
  floating,
  string,  ///< of fixed length
  compound,
  variable_string,  ///< of variable length; read only
  other,            ///< time, bitfield, opaque, reference, enumeration, sequence, array, complex
};

/// How the bytes of a number lie in the file.
enum class ByteOrder : std::uint8_t { little, big };
/// How a string of fixed length is filled up; the specification's numbers.
enum class StringPadding : std::uint8_t { null_terminated, null_padded, space_padded };

struct CompoundMember;

/// The type of one element of a dataset or attribute. A value: copies share the members of
/// compounds. None of its functions communicates. What is created wrongly throws Error
/// (invalid_argument). @independent
class Datatype {
 public:
  /// @param size 1, 2, 4 or 8 bytes
  static Datatype integer(std::size_t size, bool is_signed, ByteOrder order = ByteOrder::little);
  /// IEEE 754. @param size 2, 4 or 8 bytes
  static Datatype floating(std::size_t size, ByteOrder order = ByteOrder::little);
  /// A string. @param size bytes, at least 1, the terminator included where there is one
  static Datatype string(std::size_t size, StringPadding padding = StringPadding::null_terminated,
                         CharacterSet set = CharacterSet::ascii);
  /// A struct of at least one member. Throws Error (invalid_argument) if a member lies outside,
  /// overlaps another, or has no name or one that is there already.
  /// @param size bytes of one element, padding included
  static Datatype compound(std::size_t size, std::vector<CompoundMember> members);

  /// The native type of C++'s T, little-endian: an integer or IEEE floating type of up to 8 bytes.
  template <class T>
  static Datatype of() {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "an integer, float or double");
    if constexpr (std::is_floating_point_v<T>) return floating(sizeof(T));
    return integer(sizeof(T), std::is_signed_v<T>);
  }

  [[nodiscard]] TypeClass type_class() const { return class_; }
  /// Bytes of one element.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Of integers and floats.
  [[nodiscard]] ByteOrder byte_order() const { return order_; }
  /// Of integers; floats are.
  [[nodiscard]] bool is_signed() const { return signed_; }
  /// Of strings of fixed length.
  [[nodiscard]] StringPadding padding() const { return padding_; }
  /// Of strings.
  [[nodiscard]] CharacterSet character_set() const { return set_; }
  /// Of compounds, in stored order; else none.
  [[nodiscard]] const std::vector<CompoundMember>& members() const;

  /// What it is in words: "int64 little-endian", "string of 33 bytes", "enumeration of 4 bytes".
  [[nodiscard]] std::string describe() const;

  /// The number of the class in the specification's Datatype message, 0 (fixed-point) to 11.
  [[nodiscard]] std::uint8_t class_number() const { return class_number_; }

  friend bool operator==(const Datatype& a, const Datatype& b);

 private:
  friend struct DatatypeAccess;
  Datatype() = default;

  TypeClass class_ = TypeClass::other;
  std::uint8_t class_number_ = 0;
  ByteOrder order_ = ByteOrder::little;
  bool signed_ = false;
  StringPadding padding_ = StringPadding::null_terminated;
  CharacterSet set_ = CharacterSet::ascii;
  std::size_t size_ = 0;
  std::shared_ptr<const std::vector<CompoundMember>> members_;
};

/// One member of a compound type.
struct CompoundMember {
  std::string name;
  std::size_t offset;  ///< bytes from the start of the element
  Datatype type;

  friend bool operator==(const CompoundMember&, const CompoundMember&) = default;
};

}  // namespace onecast
