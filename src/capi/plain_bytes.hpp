#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onecast/types/datatype.hpp"

namespace onecast::capi {

/// Elements to be written, with zeros in the gaps between the members of structs. C leaves anything
/// there: it would get into the file, and ranks with equal values would differ. Copies only what
/// has gaps.
class PlainBytes {
 public:
  PlainBytes(const Datatype& type, std::span<const std::byte> elements);
  PlainBytes(const PlainBytes&) = delete;
  PlainBytes& operator=(const PlainBytes&) = delete;
  [[nodiscard]] std::span<const std::byte> get() const { return bytes_; }

 private:
  std::vector<std::byte> cleaned_;
  std::span<const std::byte> bytes_;
};

}  // namespace onecast::capi
