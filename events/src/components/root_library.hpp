#pragma once

#include <string>

#include "onecast/events/component.hpp"

namespace onecast::events {

/// If the text of a component names one for ROOT, and the registry has none: loads the library that
/// lies beside the program. Throws Error (unsupported) if it is not there.
void load_root_if_named(Registry& registry, const std::string& component);

}  // namespace onecast::events
