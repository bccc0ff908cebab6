#pragma once

#include <span>

#include "objects/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast {

/// Writes elements of a chunked dataset, each rank its own part or none, on the same dataset with
/// nothing unsettled. A filtered chunk that several ranks have parts of is put together and encoded
/// by one of them. Places are given in the order of the chunks, so the file does not depend on who
/// has what. Works in rounds: memory does not grow with the size of the write.
///
/// Throws Error on all ranks or none; then no rank's view of the dataset has changed. @collective
void write_chunks_together(Node& dataset, const BoundSelection& selection,
                           std::span<const std::byte> bytes);

}  // namespace onecast
