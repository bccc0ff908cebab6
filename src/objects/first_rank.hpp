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

/// The same of one rank alone.
template <class F>
void on_rank(FileState& file, int rank, F&& work) {
  file.first_rank_writes = true;
  if (file.comm().rank() == rank) on_every_rank(file, work);
}

template <class F>
void on_first_rank(FileState& file, F&& work) {
  on_rank(file, 0, work);
}

}  // namespace onecast
