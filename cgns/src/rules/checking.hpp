#pragma once

#include <string>
#include <vector>

#include "tree/tree.hpp"

namespace onecast::cgns {

/// A violation of the grammar at a node.
struct Violation {
  std::string path;
  std::string rule;  ///< the value found, and the value expected
};

/// Compares the nodes of a file with the table of labels (labels, names, children, types,
/// dimensions, values, links), and values with each other (extents of arrays, sections, points,
/// steps). Nodes behind links are not checked.
/// @independent
std::vector<Violation> check(Tree& tree);

}  // namespace onecast::cgns
