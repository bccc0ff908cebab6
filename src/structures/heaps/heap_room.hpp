#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "base/namespaces.hpp"

namespace onecast::structures {

/// A part of a collection of the global heap where values go. It begins where an object may, and
/// ends where one does.
struct HeapRoom {
  Address collection;
  std::uint64_t collection_size = 0;  ///< 0: not known
  Address address;
  std::uint64_t size = 0;

  /// An object's prefix. None is smaller, so that no two begin in one unit of so many bytes.
  static constexpr std::uint64_t kUnit = 16;

  [[nodiscard]] Address end() const { return address + size; }
  [[nodiscard]] bool is_collection() const { return address == collection; }
  /// Of an object that begins so many bytes behind the room's start: it follows from its place. So
  /// no other object has it, now or later.
  [[nodiscard]] std::uint64_t index_at(std::uint64_t offset) const {
    return (address.value - collection.value + offset) / kUnit;
  }
  [[nodiscard]] bool ends_collection() const {
    return collection_size != 0 && end() == collection + collection_size;
  }
  /// After `used` bytes: is there room for an object of so many, and behind it for another's prefix
  /// if anything is left?
  [[nodiscard]] bool fits(std::uint64_t object, std::uint64_t used) const {
    const std::uint64_t left = size - used;
    return object == left || (object < left && (ends_collection() || left - object >= kUnit));
  }
};

}  // namespace onecast::structures
