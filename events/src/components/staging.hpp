#pragma once

#include "onecast/events/component.hpp"

namespace onecast::events {

/// Gives an outputer that writes a file the option `staging`: the file is written in a folder near
/// the process, and moved to its place at the end.
void add_staging(OutputerInfo& info);

}  // namespace onecast::events
