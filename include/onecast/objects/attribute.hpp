#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/objects/datatype.hpp"
#include "onecast/space/dataspace.hpp"

namespace onecast {

class Node;
struct StoredAttribute;

/// A small named value of a group, dataset or committed datatype, as it was when it was looked up.
/// It lives in metadata, so nothing here communicates. Keeps the file's memory alive. All but
/// name() throw Error (state) once the file is closed. @independent
class Attribute {
 public:
  [[nodiscard]] std::string_view name() const { return name_; }
  /// Throws Error (format, unsupported) if the stored type is damaged or of no known class.
  [[nodiscard]] Datatype datatype() const;
  /// Throws Error (format, unsupported) likewise.
  [[nodiscard]] Dataspace dataspace() const;

  /// The value as stored: dataspace().element_count() elements of datatype(), in its byte order.
  /// Valid as long as the file is open and the attribute is not changed. Of variable-length strings
  /// these are references; use read_strings(). Throws Error (format) if the message is too short
  /// for it.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  /// All elements in the file's order, as T. Throws Error (invalid_argument) unless datatype() is T
  /// in either byte order; numbers are not converted.
  template <class T>
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(bytes().size() / sizeof(T));
    read_as(std::as_writable_bytes(std::span(values)), Datatype::of<T>());
    return values;
  }

  /// All elements, strings of fixed or variable length, without padding. Throws Error
  /// (invalid_argument) if datatype() is no string.
  [[nodiscard]] std::vector<std::string> read_strings() const;

 private:
  friend class Object;
  Attribute(std::shared_ptr<Node> owner, const StoredAttribute& stored);
  void read_as(std::span<std::byte> out, const Datatype& memory_type) const;

  std::shared_ptr<Node> owner_;
  std::string_view name_;
  std::uint8_t flags_;  ///< of the Attribute message, as are the next three
  std::span<const std::byte> datatype_;
  std::span<const std::byte> dataspace_;
  std::span<const std::byte> data_;
  std::uint64_t address_;  ///< where it was read
};

}  // namespace onecast
