#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "onecast/space/selection.hpp"
#include "pages/waiting_bytes.hpp"

namespace onecast::nodes {

/// Elements that one rank wrote independently. Their values get their places at the flush.
struct VariableWrite {
  NodeId dataset;
  Selection part;
  WaitingBytes elements;  ///< the selected elements in C order
  WaitingBytes values;    ///< packed
};

}  // namespace onecast::nodes
