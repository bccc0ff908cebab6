#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/objects/file_options.hpp"

/// What holds for every option of a file alike, from the table of them.
namespace onecast::tree {

/// Throws Error (invalid_argument), which names the option, its value and what was expected.
void check_options(const FileOptions& options);

/// Names and values, in words that users know, of all that must be the same on all ranks.
std::vector<std::pair<std::string, std::string>> shared_options(const FileOptions& options);

/// The first option of `later` that is given (not the default), has another value than in `first`,
/// and would change what is done with a file that is open with `first`, with both values. Absent if
/// there is none.
std::optional<std::string> contradiction(const FileOptions& later, const FileOptions& first);

}  // namespace onecast::tree
