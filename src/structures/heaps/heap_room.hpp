#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// A part of a collection of the global heap for new values. It begins where an object may begin,
/// and ends where one ends.
struct HeapRoom {
  Address collection;
  std::uint64_t collection_size = 0;  ///< 0: not known
  Address address;
  std::uint64_t size = 0;

  /// The size of an object's prefix. No object is smaller, so no two begin in one unit.
  static constexpr std::uint64_t kUnit = 16;

  [[nodiscard]] Address end() const { return address + size; }
  [[nodiscard]] bool is_collection() const { return address == collection; }
  /// The index of an object that begins `offset` bytes after the room's start. It follows from the
  /// place, so no other object ever has it.
  [[nodiscard]] std::uint64_t index_at(std::uint64_t offset) const {
    return (address.value - collection.value + offset) / kUnit;
  }
  [[nodiscard]] bool ends_collection() const {
    return collection_size != 0 && end() == collection + collection_size;
  }
  /// True if, after `used` bytes, there is room for an object of this size and, if space is left
  /// after it, for another prefix.
  [[nodiscard]] bool fits(std::uint64_t object, std::uint64_t used) const {
    const std::uint64_t left = size - used;
    return object == left || (object < left && (ends_collection() || left - object >= kUnit));
  }
};

}  // namespace onecast::structures
