#pragma once

#include <exception>
#include <utility>

#include "onecast/objects/dataset.hpp"

/// A rank whose arguments are wrong takes part in a collective call all the same: else the others
/// would wait for it.
namespace onecast::capi {

/// Runs `prepare`, which makes what a read_all needs; if it throws, all ranks hear of it.
template <class Prepare>
void prepare_read_all(const Dataset& dataset, Prepare&& prepare) {
  std::exception_ptr failure;
  try {
    std::forward<Prepare>(prepare)();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) dataset.fail_read_all(failure);
}

/// The same before a write_all.
template <class Prepare>
void prepare_write_all(Dataset& dataset, Prepare&& prepare) {
  std::exception_ptr failure;
  try {
    std::forward<Prepare>(prepare)();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) dataset.fail_write_all(failure);
}

}  // namespace onecast::capi
