#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::flush {

/// Makes what calls have changed part of the file. @collective
void flush_file(FileState& file, CallKind kind);

/// All is again as the last flush left it; see File::rollback. @collective
void roll_back(FileState& file);

/// The next flush writes a page list, if the file has no valid one. @same
void adopt(FileState& file);

}  // namespace onecast::flush
