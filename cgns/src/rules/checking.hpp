#pragma once

#include <string>
#include <vector>

#include "tree/tree.hpp"

namespace onecast::cgns {

/// What the grammar forbids, at a node.
struct Violation {
  std::string path;
  std::string rule;  ///< what was found, and what was expected
};

/// Compares the nodes of a file with the table of labels: labels, names, children, types,
/// dimensions, values, links; and values with each other: extents of arrays, sections, points,
/// steps. What lies behind links is not checked.
/// @independent
std::vector<Violation> check(Tree& tree);

}  // namespace onecast::cgns
