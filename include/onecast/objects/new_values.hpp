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

/// Values of variable length, and references, to be written: the counterpart of VariableValues. It
/// keeps the values and makes elements that stand for them, which the writing functions take
/// together with it. Such an element has type.size() bytes, and may lie in a compound, an array or
/// a sequence; all zeros is one without a value. Values may be written more than once.
///
/// All throw Error (invalid_argument): a type of another class, memory of another size, more than
/// 2^32 values. @independent
class NewValues {
 public:
  /// A string of variable length: `text` up to its end, without NUL in it.
  void string(const Datatype& type, std::string_view text, std::span<std::byte> element);
  /// Elements one after the other, strings of variable length.
  [[nodiscard]] std::vector<std::byte> strings(const Datatype& type,
                                               std::span<const std::string> texts);
  /// `elements`: bytes of the sequence's base type; if that points elsewhere, of this object.
  void sequence(const Datatype& type, std::span<const std::byte> elements,
                std::span<std::byte> element);
  /// See Object::reference. Elements of ReferenceKind::revised_object take references to objects,
  /// regions and attributes, also of other files; those of the kinds before HDF5 1.12 what they are
  /// named for, in this file.
  void reference(const Datatype& type, const Reference& reference, std::span<std::byte> element);

  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// The bytes of value `number`, from 1 on.
  [[nodiscard]] std::span<const std::byte> value(std::uint32_t number) const;
  /// The bytes of all.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  friend struct NewValuesAccess;

  void revised_reference(const Reference& reference, std::span<std::byte> element);
  /// Returns its number.
  std::uint32_t keep(std::span<const std::byte> value);

  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace onecast
