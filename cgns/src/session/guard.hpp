#pragma once

#include <exception>
#include <type_traits>

#include "grammar/failure.hpp"
#include "session/session.hpp"

namespace onecast::cgns {

/// Runs the body of a function of the API. An exception sets the error text, which begins with the
/// function's name, and the number that the function returns. A body may return a number itself.
///
///     return guarded(__func__, [&] { *nbases = count(for_reading(fn).root(), Label::CGNSBase); });
template <class Body>
int guarded(const char* function, Body&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return 0;
    } else {
      return body();
    }
  } catch (const Failure& failure) {
    session().fail(function, failure.what());
    return failure.status();
  } catch (const std::exception& error) {
    session().fail(function, error.what());
  } catch (...) {
    session().fail(function, "an unknown exception");
  }
  return Failure::kError;
}

}  // namespace onecast::cgns
