#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/types/datatype.hpp"

namespace onecast::types {

/// The bytes of an element that belong to no member of its structs. Programs leave any values
/// there, which would get into the file, and would make ranks with equal values differ.
class Gaps {
 public:
  explicit Gaps(const Datatype& type);

  [[nodiscard]] bool none() const { return gaps_.empty(); }
  /// True if they are zeros in all elements.
  [[nodiscard]] bool are_zero(std::span<const std::byte> elements) const;
  /// Sets them to zeros in all elements.
  void clear(std::span<std::byte> elements) const;

 private:
  struct Gap {
    std::size_t begin, end;
  };

  void find(const Datatype& type, std::size_t offset);
  void add(std::size_t begin, std::size_t end);

  std::size_t element_;
  std::vector<Gap> gaps_;  ///< in one element, in ascending order
};

/// The elements, or, if their gaps are not zeros, a copy with zeros in the gaps.
class PlainBytes {
 public:
  PlainBytes(const Datatype& type, std::span<const std::byte> elements);
  PlainBytes(const PlainBytes&) = delete;
  PlainBytes& operator=(const PlainBytes&) = delete;
  [[nodiscard]] std::span<const std::byte> get() const { return bytes_; }

 private:
  std::vector<std::byte> cleared_;
  std::span<const std::byte> bytes_;
};

}  // namespace onecast::types
