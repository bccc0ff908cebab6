#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/byte_reader.hpp"
#include "base/namespaces.hpp"
#include "base/where.hpp"
#include "onecast/types/datatype.hpp"
#include "types/conversion_step.hpp"

namespace onecast::types {

/// Converts elements of one type to another, as HDF5 does. Immutable, so threads may share it.
///
/// Integers, bitfields and floats become any integer or float: values out of range become the
/// nearest value, or infinity for floats; fractions are truncated; floats are rounded to nearest;
/// NaN becomes the integer 0. An enumeration converts like its integer. Strings of fixed length are
/// truncated or padded. Compounds convert by the names of their members: members that the target
/// lacks are dropped, and members that only the target has keep their bytes. Arrays convert element
/// by element, and need equal dimensions. Complex numbers convert part by part, also between the
/// class of HDF5 2.0 and compounds of two floating-point numbers. All other types must be equal.
class Conversion {
 public:
  /// Throws Error (invalid_argument), after `where`, if there is no conversion.
  Conversion(const Datatype& from, const Datatype& to, const Where& where);

  /// True if nothing is to be done.
  [[nodiscard]] bool is_identity() const { return step_ == nullptr; }
  /// True if every member of the target gets a value.
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// True if `in` may be the end of `out`, or, if the sizes are equal, `out` itself.
  [[nodiscard]] bool works_in_place() const { return in_place_ && from_size_ <= to_size_; }

  [[nodiscard]] std::size_t from_size() const { return from_size_; }
  [[nodiscard]] std::size_t to_size() const { return to_size_; }

  /// Converts out.size() / to_size() elements.
  void run(ByteView in, std::span<std::byte> out) const;

 private:
  std::size_t from_size_;
  std::size_t to_size_;
  bool complete_ = true;
  bool in_place_ = true;
  std::unique_ptr<const ConversionStep> step_;
};

}  // namespace onecast::types
