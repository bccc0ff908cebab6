#pragma once

#include <string>

#include "onecast/events/component.hpp"

namespace onecast::events {

/// Loads the library beside the program if the text of a component names a ROOT component that the
/// registry lacks. Throws Error (unsupported) if the library is not there.
void load_root_if_named(Registry& registry, const std::string& component);

}  // namespace onecast::events
