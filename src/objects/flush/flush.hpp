#pragma once

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::flush {

/// Makes the changes of calls part of the file. @collective
void flush_file(FileState& file, CallKind kind);

/// Restores the state that the last flush left; see File::rollback. @collective
void roll_back(FileState& file);

/// Begins to write for readers; see File::start_swmr. @collective
void start_swmr(FileState& file);

/// Makes the next flush write a page list if the file has no valid one. @same
void adopt(FileState& file);

}  // namespace onecast::flush
