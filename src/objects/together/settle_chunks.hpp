#pragma once

#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"

namespace onecast::together {

/// Returns true if this rank has chunks, of any dataset or of this one, that are not in the file
/// yet.
bool has_unsettled_chunks(const Node& dataset);

/// Gives the pending chunks of all ranks, of these datasets or of all, their places and writes
/// them, in an order of datasets and chunks that does not depend on which rank wrote them. Elements
/// of shrunk datasets beyond the extent get the fill value. Afterwards all ranks know where
/// everything lies.
///
/// An independent write to a chunk overrides what all ranks gave before. Returns an Error if two
/// ranks wrote independently to one filtered chunk: that chunk stays as it was, with what all ranks
/// gave, and everything else is settled. Throws Error (io, ...), equal on all ranks; then nothing
/// has changed. @collective
std::exception_ptr settle_chunks(FileState& file);
std::exception_ptr settle_chunks(FileState& file, std::span<Node* const> only);

}  // namespace onecast::together
