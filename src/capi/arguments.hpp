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

/// Converts arguments of C functions to those of the C++ API. All functions throw Error
/// (invalid_argument), which names the argument.
namespace onecast::capi {

/// Converts a number to an enumerator. `last` is the last one of the enumeration.
template <class Enum>
Enum enumeration_of(int value, Enum last, const char* name) {
  if (value < 0 || value > static_cast<int>(last))
    reject(std::string(name) + ": " + std::to_string(value) + " is none of its values");
  return static_cast<Enum>(value);
}

/// Returns a span of `count` elements. `first` may be NULL only if `count` is 0.
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

/// Throws if elements of this type hold an address instead of a value: a C program cannot use them.
void require_plain(const Datatype& type, const std::string& where);

Shape shape_of(const std::uint64_t* first, std::size_t rank, const char* name);

/// Converts a space; NULL means one element.
Dataspace dataspace_of(const onecast_dataspace* space);
void give_space(onecast_dataspace* out, const Dataspace& space);

/// Converts a part and ignores its memory; NULL means all elements.
Selection selection_of(const onecast_selection* part);
/// Converts a part, and throws if it has a memory, for functions that do not take one.
Selection plain_selection_of(const onecast_selection* part);
std::optional<MemoryLayout> memory_of(const onecast_selection* part);

Sharing sharing_of(onecast_sharing sharing);
Order order_of(onecast_order order);

Filter filter_of(const onecast_filter& filter);

}  // namespace onecast::capi
