#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::nodes {
class OpenFile;
}  // namespace onecast::nodes

namespace onecast::files {

/// Returns the paths where a file that `from` names may lie, best first: in the folders of the
/// environment variable `prefix_variable`, or else of `prefixes`; beside `from`; at the name
/// relative to the working directory at the open of `from`.
std::vector<std::string> external_paths(const OpenFile& from, std::string_view name,
                                        const char* prefix_variable = "HDF5_EXT_PREFIX",
                                        std::string_view prefixes = {});

/// Returns the paths where a file of raw data that `from` names may lie, best first: in the folder
/// that HDF5_EXTFILE_PREFIX names, which `prefix` replaces where that is not set; at the name
/// relative to the working directory when `from` was opened; beside `from`.
std::vector<std::string> raw_data_paths(const OpenFile& from, std::string_view name,
                                        std::string_view prefix);

/// Returns the folder of the file; for an object of the program, the folder of the path that its
/// name gives.
std::string folder_of(const OpenFile& file);

/// Resolves symbolic links in the part of the path that exists.
std::string canonical(const std::string& path);

/// Throws Error (unsupported) if FileOptions::follow_external of `from` is nowhere. `what` says
/// which part of the file names the file `name`.
void require_following(const OpenFile& from, std::string_view what, std::string_view name);
/// Returns true if FileOptions::follow_external of `from` allows files at `path`.
bool may_follow(const OpenFile& from, const std::string& path);
/// Throws Error (unsupported), because FileOptions::follow_external of `from` forbids `path`.
[[noreturn]] void fail_outside(const OpenFile& from, std::string_view path);

}  // namespace onecast::files
