#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grammar/failure.hpp"

namespace onecast::cgns {

/// The type of a node's value, as its attribute `type` names it.
enum class ValueType : std::uint8_t { MT, LK, C1, B1, I4, I8, U4, U8, R4, R8, X4, X8 };

/// Returns the text of a type, two characters such as "I4".
std::string_view text_of(ValueType type);
/// Throws Failure for an unknown text.
ValueType value_type_of(std::string_view text);
/// The size of one element in bytes; 0 for MT and LK.
std::size_t size_of(ValueType type);
/// The most dimensions of a value.
inline constexpr std::size_t kMostDimensions = 12;
/// Throws Failure with this status unless a value may have this number of dimensions, at least 1.
void check_dimension_count(std::int64_t count, int status = Failure::kError);
/// True if `from` can be converted to `to`: text only to text, complex only to complex.
bool converts(ValueType from, ValueType to);

/// The type of a C++ number.
template <class T>
constexpr ValueType value_type() {
  if constexpr (sizeof(T) == 1) return ValueType::C1;
  if constexpr (static_cast<T>(0.5) != T(0)) return sizeof(T) == 4 ? ValueType::R4 : ValueType::R8;
  if constexpr (static_cast<T>(-1) < T(0)) return sizeof(T) == 4 ? ValueType::I4 : ValueType::I8;
  return sizeof(T) == 4 ? ValueType::U4 : ValueType::U8;
}

}  // namespace onecast::cgns
