#pragma once

#include <exception>
#include <string>
#include <utility>

#include "onecast/events/identity.hpp"

namespace onecast::events {

/// Returns "RUN:LUMI:EVENT", the form that options take.
std::string text_of(const Identity& id);

/// Returns the failure as an Error whose text ends with the component that failed and the place:
/// "TEXT (source HDF5, entry 21)". Without the name of a component, the failure is unchanged.
std::exception_ptr blamed(const std::exception_ptr& failure, const std::string& component,
                          const std::string& at = {});

/// Does the work; blames what it throws on the component.
template <class F>
auto blaming(const std::string& component, F&& work) {
  try {
    return std::forward<F>(work)();
  } catch (...) {
    std::rethrow_exception(blamed(std::current_exception(), component));
  }
}

}  // namespace onecast::events
