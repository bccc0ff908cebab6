#pragma once

#include <fmt/format.h>

#include <utility>

#include "onecast/base/error.hpp"

/// Errors whose text fmt::format makes.
namespace onecast::events {

template <class... Arguments>
Error argument_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {ErrorCode::invalid_argument, fmt::format(text, std::forward<Arguments>(arguments)...)};
}
template <class... Arguments>
Error format_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {ErrorCode::format, fmt::format(text, std::forward<Arguments>(arguments)...)};
}
template <class... Arguments>
Error unsupported_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {ErrorCode::unsupported, fmt::format(text, std::forward<Arguments>(arguments)...)};
}
template <class... Arguments>
Error not_found_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {ErrorCode::not_found, fmt::format(text, std::forward<Arguments>(arguments)...)};
}
template <class... Arguments>
Error io_error(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {ErrorCode::io, fmt::format(text, std::forward<Arguments>(arguments)...)};
}

}  // namespace onecast::events
