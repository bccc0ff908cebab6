#pragma once

#include "objects/tree/file_state.hpp"

namespace onecast {

/// Makes what calls have changed part of the file. @collective
void flush(FileState& file, CallKind kind);

/// The next flush writes a page list, if the file has no valid one. @same
void adopt(FileState& file);

}  // namespace onecast
