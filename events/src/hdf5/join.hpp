#pragma once

#include <string>
#include <vector>

namespace onecast::events::hdf5 {

/// Joins files of version 2 with equal layout, products and compression: stored bytes are copied as
/// they are. Returns those of `in` whose writer was interrupted: what they have is joined. Throws
/// Error; `out` is then not complete.
std::vector<std::string> join(const std::string& out, const std::vector<std::string>& in);

/// Adds the index by identity to a file that lacks it, or makes it anew.
void make_index(const std::string& path);

}  // namespace onecast::events::hdf5
