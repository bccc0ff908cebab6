#pragma once

#include <exception>
#include <utility>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// Calls `work` unless something failed before, and keeps its exception. For ranks that must go on
/// with the others and report the failure later.
template <class F>
void try_to(std::exception_ptr& failure, F&& work) {
  if (failure) return;
  try {
    std::forward<F>(work)();
  } catch (...) {
    failure = std::current_exception();
  }
}

}  // namespace onecast::comm
