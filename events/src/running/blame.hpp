#pragma once

#include <exception>
#include <string>
#include <utility>

#include "onecast/events/identity.hpp"

namespace onecast::events {

/// "RUN:LUMI:EVENT", as options take it.
std::string text_of(const Identity& id);

/// The failure, an Error whose text has behind it which component failed, and at what:
/// "TEXT (source HDF5, entry 21)". Without the name of a component: the failure as it was.
std::exception_ptr blamed(const std::exception_ptr& failure, const std::string& component,
                          const std::string& at = {});

/// Does the work; what it throws is blamed on the component.
template <class F>
auto blaming(const std::string& component, F&& work) {
  try {
    return std::forward<F>(work)();
  } catch (...) {
    std::rethrow_exception(blamed(std::current_exception(), component));
  }
}

}  // namespace onecast::events
