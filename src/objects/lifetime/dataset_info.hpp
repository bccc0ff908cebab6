#pragma once

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::lifetime {

/// Decodes a dataset's header: see Node::dataset().
Kept<DatasetInfo> read_dataset_info(Node& dataset);

/// Changes the shape of a dataset with edited chunks; the shape must be within its maximum.
void set_shape(Node& dataset, Shape shape);

}  // namespace onecast::lifetime
