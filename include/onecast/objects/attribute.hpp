#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/objects/settled.hpp"
#include "onecast/space/dataspace.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast {

class Node;
struct AttributeEntry;

/// A small named value of a group, dataset or committed datatype, as it was when it was looked up.
/// It lives in metadata, so nothing here communicates. Keeps the file's memory alive. All but
/// name() throw Error (state) once the file is closed. @independent
class Attribute {
 public:
  [[nodiscard]] std::string_view name() const;
  /// Throws Error (format, unsupported) if the stored type is damaged or of no known class. It
  /// lives, like the dataspace, as long as any handle of the file.
  [[nodiscard]] const Datatype& datatype() const;
  /// Throws Error (format, unsupported) likewise.
  [[nodiscard]] const Dataspace& dataspace() const;

  /// The value as stored: dataspace().element_count() elements of datatype(), in its byte order.
  /// Valid as long as the file is open, this handle or a copy is there, and the attribute is not
  /// changed. Of variable-length strings these are references; use read_strings(). Throws Error
  /// (format) if the message is too short for it.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  /// All elements as another type, converted as Dataset::read does. Throws Error
  /// (invalid_argument) if there is no such conversion, or `out` has another size.
  void read(std::span<std::byte> out, const Datatype& memory_type) const;

  /// All elements in the file's order, as T.
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(bytes().size() / datatype().size());
    read(std::as_writable_bytes(std::span(values)), Datatype::of<T>());
    return values;
  }

  /// All elements, strings of fixed or variable length, without padding. Throws Error
  /// (invalid_argument) if datatype() is no string.
  [[nodiscard]] std::vector<std::string> read_strings() const;

 private:
  friend class Object;
  friend class VariableValues;
  friend struct ObjectAccess;
  Attribute(Settled<Node> owner, const AttributeEntry& entry);

  Settled<Node> owner_;
  std::shared_ptr<const void> keeps_;  ///< where it lies
  const AttributeEntry* entry_;
};

}  // namespace onecast
