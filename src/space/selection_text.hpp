#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::space {

/// Formats a selection for errors: "all elements", "no elements", "elements [0:10, 5:9]" for a
/// contiguous hyperslab, otherwise the number of elements and their bounds.
std::string selection_text(const Selection& selection);

}  // namespace onecast::space
