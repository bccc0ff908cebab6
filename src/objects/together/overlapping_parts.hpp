#pragma once

#include <vector>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::together {

/// A part of a dataset that a call writes.
struct PartOfDataset {
  const Node* dataset;
  const BoundSelection* part;
};

/// Throws Error (invalid_argument), with the dataset's name and the `call`'s, if two parts of one
/// dataset have an element in common.
void require_disjoint(std::vector<PartOfDataset> parts, const char* call);

}  // namespace onecast::together
