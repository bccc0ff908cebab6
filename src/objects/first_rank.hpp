#pragma once

#include <exception>

#include "objects/file_state.hpp"
#include "onecast/base/error.hpp"

namespace onecast {

/// One rank must not throw where the others go on: all hear of it at the next flush.
template <class F>
void on_every_rank(FileState& file, F&& work) {
  file.first_rank_writes = true;
  try {
    work();
  } catch (const Error&) {
    if (!file.deferred) file.deferred = std::current_exception();
  }
}

/// The same of rank 0 alone.
template <class F>
void on_first_rank(FileState& file, F&& work) {
  file.first_rank_writes = true;
  if (file.comm().rank() == 0) on_every_rank(file, work);
}

}  // namespace onecast
