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

/// Turns elements of one type into those of another, as HDF5 does. Immutable: threads may share it.
///
/// Integers, bitfields and floats become any integer or float: out of range they become the nearest
/// value, floats infinity; fractions are cut off; floats are rounded to the nearest; NaN becomes
/// the integer 0. An enumeration is the integer it consists of. Strings of fixed length are cut off
/// or padded. Compounds go by the names of their members: those that the target lacks are left out,
/// those that only the target has keep the bytes they had. Arrays go element by element, and need
/// the same dimensions. Complex numbers go part by part, also between the class of HDF5 2.0 and
/// compounds of two floating-point numbers. All else must be the same type.
class Conversion {
 public:
  /// Throws Error (invalid_argument), after `where`, if there is none.
  Conversion(const Datatype& from, const Datatype& to, const Where& where);

  /// Nothing is to be done.
  [[nodiscard]] bool is_identity() const { return step_ == nullptr; }
  /// Every member of the target gets a value.
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// `in` may be the end of `out`, or, if the sizes are the same, `out` itself.
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
