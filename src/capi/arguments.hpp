#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capi/handles.hpp"
#include "onecast/objects/file_options.hpp"
#include "onecast/objects/order.hpp"
#include "onecast/space/selection.hpp"

/// From what C gives to what C++ takes. All throw Error (invalid_argument) that names the argument.
namespace onecast::capi {

/// A number that stands for one of an enumeration of C++, whose last is `last`.
template <class Enum>
Enum enumeration_of(int value, Enum last, const char* name) {
  if (value < 0 || value > static_cast<int>(last))
    reject(std::string(name) + ": " + std::to_string(value) + " is none of its values");
  return static_cast<Enum>(value);
}

/// `count` elements, or none; NULL only of none.
template <class T>
std::span<T> list(T* first, std::size_t count, const char* name) {
  if (count != 0) required(first, name);
  return {first, count};
}
inline std::span<const std::byte> bytes(const void* first, std::size_t size) {
  return list(static_cast<const std::byte*>(first), size, "data");
}
inline std::span<std::byte> room(void* first, std::size_t size) {
  return list(static_cast<std::byte*>(first), size, "out");
}
std::vector<std::string> texts(const char* const* first, std::size_t count);

/// Elements that only stand for values elsewhere are nothing that C could use.
void require_plain(const Datatype& type, const std::string& where);

Shape shape_of(const std::uint64_t* first, std::size_t rank, const char* name);

/// NULL: one element.
Dataspace dataspace_of(const onecast_space* space);
void give_space(onecast_space* out, const Dataspace& space);

/// NULL: all. What it says of memory is not looked at.
Selection selection_of(const onecast_part* part);
/// For functions that know no memory: an Error if the part has one.
Selection plain_selection_of(const onecast_part* part);
std::optional<MemoryLayout> memory_of(const onecast_part* part);

Sharing sharing_of(onecast_sharing sharing);
Order order_of(onecast_order order);

Filter filter_of(const onecast_filter& filter);

}  // namespace onecast::capi
