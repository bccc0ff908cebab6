#pragma once

// Types of which an element is what its bytes say, no place of something else in the file: their
// values are made here, all others in Python.

#include <memory>
#include <optional>
#include <string_view>

#include "bindings.hpp"
#include "onecast/types/datatype.hpp"

struct PlainType {
  nb::object dtype;                         ///< numpy's
  std::optional<onecast::Datatype> memory;  ///< what to convert to; none: numpy knows the bytes

  /// An array for elements of the type.
  [[nodiscard]] nb::object array(const nb::tuple& shape) const;
};

/// A numpy.bytes_.
nb::object bytes_scalar(std::string_view text);

std::size_t hash_of(const onecast::Datatype& type);

/// Null of all other types, and of those that cannot be read. Asks the package once for each.
std::shared_ptr<const PlainType> plain_type(const onecast::Datatype& type);

/// "Ask in Python": a value that attributes and selections never have.
inline nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }
