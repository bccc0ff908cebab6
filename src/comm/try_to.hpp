#pragma once

#include <exception>
#include <utility>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// Does `work` unless something failed before, and keeps what it throws: for ranks that have to go
/// on with the others, whom they tell later.
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
