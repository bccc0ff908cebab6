#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "objects/elements/lost_writes.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::elements {

/// Writes data of `dataset` that all ranks have. On one rank an error is thrown; one of several
/// ranks must not throw where the others go on, so the next flush reports it on all ranks.
template <class F>
void on_every_rank(Node& dataset, F&& work) {
  FileState& file = file_of(dataset);
  file.changes().first_rank_writes = file.changes().first_rank_keeps = true;
  if (file.comm().size() == 1) return work();
  try {
    work();
  } catch (...) {
    LostWrite lost;
    lost.error = std::current_exception();
    lost.dataset = &dataset;
    lose(file, std::move(lost));
  }
}

/// Does what on_every_rank() does, on rank 0 only.
template <class F>
void on_first_rank(Node& dataset, F&& work) {
  FileState& file = file_of(dataset);
  file.changes().first_rank_writes = file.changes().first_rank_keeps = true;
  if (file.comm().rank() == 0) on_every_rank(dataset, work);
}

}  // namespace onecast::elements
