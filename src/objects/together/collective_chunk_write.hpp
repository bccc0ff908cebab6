#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "objects/together/chunk_write_request.hpp"

namespace onecast::together {

/// Writes elements of chunked datasets, each rank its own part or none of each, all ranks of the
/// same datasets in the same order. A filtered chunk that several ranks have parts of is put
/// together and encoded by one of them. Places are given in the order of the datasets, those
/// without filters first, and of their chunks, so the file does not depend on who has what. Works
/// in rounds: memory does not grow with the size of the write; nor do the collective calls with the
/// number of datasets, but where one of them stands in the list again.
///
/// Throws Error on all ranks or none; then no rank's view of the datasets has changed, but for
/// those that were written before. @collective
void write_chunks_together(FileState& file, std::span<const ChunkWriteRequest> requests);

}  // namespace onecast::together
