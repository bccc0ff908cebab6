#pragma once

// Plain types: their elements hold their values, without references to other places of the file.
// C++ makes these values; Python code makes all others.

#include <memory>
#include <optional>
#include <string_view>

#include "bindings.hpp"
#include "onecast/types/datatype.hpp"

struct PlainType {
  nb::object dtype;  ///< the dtype of numpy
  std::optional<onecast::Datatype>
      memory;  ///< the type to convert to; absent: numpy knows the stored bytes

  /// Returns an array for elements of the type.
  [[nodiscard]] nb::object array(const nb::tuple& shape) const;
};

/// Returns a numpy.bytes_.
nb::object bytes_scalar(std::string_view text);

std::size_t hash_of(const onecast::Datatype& type);

/// Returns null for all other types, and for types that cannot be read. Asks the package once for
/// each type.
std::shared_ptr<const PlainType> plain_type(const onecast::Datatype& type);

/// Tells the caller to use Python code: attributes and selections never have this value.
inline nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }
