#pragma once

#include <optional>
#include <string>

#include "onecast/objects/file.hpp"

namespace onecast {

/// The first option of `later` that is given (not the default), has another value than in `first`,
/// and would change what is done with a file that is open with `first`; absent if there is none.
std::optional<std::string> contradicting_option(const FileOptions& later, const FileOptions& first);

}  // namespace onecast
