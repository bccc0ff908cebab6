#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "onecast/types/datatype.hpp"

/// The C++ types that hold elements of a dataset or an attribute.
namespace onecast {

/// One string: std::string, std::string_view, const char*.
template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;

/// A contiguous range of elements: std::vector, std::array, std::span, an array.
template <class T>
concept ContiguousElements = !Text<T> && requires(T& range) { std::span(range); };

/// One number or struct; a struct needs a memory type.
template <class T>
concept OneElement =
    std::is_arithmetic_v<T> ||
    (std::is_class_v<T> && std::is_trivially_copyable_v<T> && !Text<T> && !ContiguousElements<T>);

/// Every C++ type that can be written.
template <class T>
concept AnyElements = Text<std::remove_cvref_t<T>> || ContiguousElements<std::remove_cvref_t<T>> ||
                      OneElement<std::remove_cvref_t<T>>;

/// Memory that outlives the call: not a temporary, unless the temporary refers to other memory.
template <class T>
concept StayingElements =
    (std::is_lvalue_reference_v<T> || std::ranges::enable_borrowed_range<std::remove_cvref_t<T>>) &&
    (ContiguousElements<std::remove_reference_t<T>> || OneElement<std::remove_cvref_t<T>>);

/// Only Onecast's own layers use these names.
namespace detail {

template <class T>
  requires(ContiguousElements<T> || OneElement<std::remove_const_t<T>>)
auto span_of(T& elements) {
  if constexpr (ContiguousElements<T>)
    return std::span(elements);
  else
    return std::span(&elements, 1);
}

/// The type of elements without const and volatile.
template <class T>
using Element = std::remove_cv_t<T>;
template <class T>
using Number = std::remove_cv_t<std::remove_all_extents_t<T>>;
template <class T>
using ElementOf = Element<typename decltype(span_of(std::declval<T&>()))::element_type>;

/// Throws Error (invalid_argument), which says that elements of this size are neither bytes nor
/// numbers, and that no memory type was given.
[[noreturn]] void fail_without_type(std::size_t element_size);

template <class T>
std::optional<Datatype> type_of() {
  if constexpr (NativeElement<Number<T>>)
    return Datatype::of<Number<T>>();
  else
    return {};
}

/// Returns a span of the strings, or of the bytes of other elements.
template <class T>
auto room_in(T& elements) {
  const auto all = std::span(span_of(elements));
  if constexpr (std::same_as<ElementOf<T>, std::string>)
    return std::span<std::string>(all);
  else
    return std::span<std::byte>(std::as_writable_bytes(all));
}
template <class T>
auto bytes_in(const T& elements) {
  const auto all = std::span(span_of(elements));
  if constexpr (std::same_as<ElementOf<const T>, std::string>)
    return std::span<const std::string>(all);
  else
    return std::span<const std::byte>(std::as_bytes(all));
}

}  // namespace detail
}  // namespace onecast
