#pragma once

#include <string>
#include <vector>

#include "model/join_report.hpp"

namespace onecast::events::hdf5 {

/// Joins files of version 2 with equal layout, products and compression; stored bytes are copied
/// unchanged. If it throws an Error, `out` is not complete.
JoinReport join(const std::string& out, const std::vector<std::string>& in);

/// Adds the index by identity to a file that lacks it, or replaces it.
void make_index(const std::string& path);

}  // namespace onecast::events::hdf5
