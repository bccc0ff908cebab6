#pragma once

#include "base/namespaces.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::together {

/// This rank's part of the write of a chunked dataset; none of its chunks may be unsettled.
struct ChunkWriteRequest {
  Node* dataset;
  const BoundSelection* selection;
  StoredElements elements;
};

}  // namespace onecast::together
