#pragma once

#include <string>

#include "base/namespaces.hpp"
#include "onecast/space/selection.hpp"

namespace onecast::space {

/// As errors show it: "all elements", "no elements", "elements [0:10, 5:9]" of a hyperslab of
/// neighbours, else how many there are and between which.
std::string selection_text(const Selection& selection);

}  // namespace onecast::space
