#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"
#include "onecast/objects/file_options.hpp"

/// Rules that hold for every option of a file, from the table of options.
namespace onecast::files {

/// Throws Error (invalid_argument), which names the option, its value and the expected values.
void check_options(const FileOptions& options);

/// Returns the names and values, in words that users know, of all options that must be equal on all
/// ranks.
std::vector<std::pair<std::string, std::string>> shared_options(const FileOptions& options);

/// Returns the first option of `later`, with both values, that is given (not the default), differs
/// from `first`, and would change how a file that is open with `first` is used. Returns nullopt if
/// there is none.
std::optional<std::string> contradiction(const FileOptions& later, const FileOptions& first);

}  // namespace onecast::files
