#pragma once

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "onecast/space/selection.hpp"
#include "pages/waiting_bytes.hpp"

namespace onecast::tree {

/// Elements that one of several ranks wrote for itself. Their values get their places at flush.
struct VariableWrite {
  NodeId dataset;
  Selection part;
  WaitingBytes elements;  ///< in the order of the set of elements
  WaitingBytes values;    ///< packed
};

}  // namespace onecast::tree
