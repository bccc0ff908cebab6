#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.hpp"

namespace onecast::tree {

class OpenFile;

/// Where a file that `from` names may lie, best first: in the folders of the environment variable
/// HDF5_EXT_PREFIX, beside `from`, at the name as it stands where `from` was opened.
std::vector<std::string> external_places(const OpenFile& from, std::string_view name,
                                         const char* prefix_variable = "HDF5_EXT_PREFIX");

/// Where a file of raw data that `from` names may lie, best first: in the folder of
/// HDF5_EXTFILE_PREFIX, at the name as it stands, beside `from`.
std::vector<std::string> raw_data_places(const OpenFile& from, std::string_view name);

/// The folder of the file; of an object of the program, of the path that its name is.
std::string folder_of(const OpenFile& file);

/// Without symbolic links, as far as it is there.
std::string canonical(const std::string& place);

/// Throws Error (unsupported) if FileOptions::follow_external of `from` is nowhere. `what`: of it
/// names the file `name`.
void require_following(const OpenFile& from, std::string_view what, std::string_view name);
/// Does FileOptions::follow_external of `from` let it look there?
bool may_follow(const OpenFile& from, const std::string& place);
/// Throws the Error (unsupported) that says so.
[[noreturn]] void fail_outside(const OpenFile& from, std::string_view place);

}  // namespace onecast::tree
