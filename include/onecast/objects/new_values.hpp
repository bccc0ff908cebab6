#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/objects/reference.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

namespace values {
struct NewValuesAccess;
}

/// Collects values of variable length and references that are to be written; VariableValues reads
/// them. It keeps the values and makes elements that stand for them. The writing functions take the
/// elements together with this object. Such an element has type.size() bytes and may lie in a
/// compound, an array or a sequence; an element of zeros has no value. Values may be written more
/// than once.
///
/// All functions throw Error (invalid_argument): a type of another class, memory of another size,
/// more than 2^32 values. @independent
class NewValues {
 public:
  /// Makes an element for a string of variable length. `text` must not contain NUL.
  void string(const Datatype& type, std::string_view text, std::span<std::byte> element);
  /// Makes adjacent elements for strings of variable length.
  [[nodiscard]] std::vector<std::byte> strings(const Datatype& type,
                                               std::span<const std::string> texts);
  /// Makes an element for a sequence. `elements` are bytes of the sequence's base type; if that
  /// type refers to values itself, they are elements that this object made.
  void sequence(const Datatype& type, std::span<const std::byte> elements,
                std::span<std::byte> element);
  /// Makes an element for a reference; see Object::reference. An element of
  /// ReferenceKind::revised_object holds a reference to an object, a region or an attribute, also
  /// in another file. An element of a kind before HDF5 1.12 holds a reference of its own kind
  /// within this file.
  void reference(const Datatype& type, const Reference& reference, std::span<std::byte> element);

  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// The bytes of a value. @param number from 1 on
  [[nodiscard]] std::span<const std::byte> value(std::uint32_t number) const;
  /// The bytes of all values.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  friend struct values::NewValuesAccess;

  void revised_reference(const Reference& reference, std::span<std::byte> element);
  /// Returns the number of the value.
  std::uint32_t keep(std::span<const std::byte> value);

  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace onecast
