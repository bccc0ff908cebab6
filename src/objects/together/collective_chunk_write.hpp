#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "objects/elements/stored_elements.hpp"
#include "objects/files/file_state.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::together {

/// This rank's part of the write of a chunked dataset; none of its chunks may be unsettled.
struct ChunkWriteRequest {
  Node* dataset;
  const BoundSelection* selection;
  StoredElements elements;
};

/// Writes elements of chunked datasets. Each rank has its own part, or none, of each; all ranks
/// name the same datasets in the same order. A filtered chunk of which several ranks have parts is
/// assembled and encoded by one of them. Places are given in the order of the datasets, unfiltered
/// ones first, and of their chunks, so the file does not depend on which rank has what. The write
/// works in rounds: memory does not grow with the size of the write, nor the number of collective
/// calls with the number of datasets, except for datasets that the list names again.
///
/// Throws Error on all ranks or none; then no rank's view of the datasets has changed, except for
/// datasets written before. @collective
void write_chunks_together(FileState& file, std::span<const ChunkWriteRequest> requests);

}  // namespace onecast::together
