#pragma once

#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::together {

/// Has this rank chunks that are not in the file yet, of any dataset, or of this one?
bool has_unsettled_chunks(const FileState& file);
bool has_unsettled_chunks(const Node& dataset);

/// Gives pending chunks of all ranks, of these datasets or of all, their places and writes them: in
/// an order of datasets and chunks that does not depend on who wrote them. What shrunk datasets
/// have beyond their extent becomes the fill value. Afterwards all ranks know where everything
/// lies.
///
/// What one rank wrote to a chunk for itself wins over what all ranks gave before. Returns an Error
/// if two ranks wrote to one filtered chunk for themselves: it stays as it was, with what all ranks
/// gave, and all else is settled. Throws Error (io, ...), the same on all ranks; nothing has
/// changed then. @collective
std::exception_ptr settle_chunks(FileState& file);
std::exception_ptr settle_chunks(FileState& file, std::span<Node* const> only);

}  // namespace onecast::together
