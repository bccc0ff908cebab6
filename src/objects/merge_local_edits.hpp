#pragma once

#include <exception>

#include "objects/file_state.hpp"
#include "objects/local_part.hpp"

namespace onecast {

/// What this rank did inside independent(), ready to be sent. What fails is deferred: then, and if
/// there is nothing, it has no bytes.
PackedLocalEdits pack_local_edits(FileState& file);

/// Makes what each rank did everyone's, in the order of the ranks: one exchange, then all ranks
/// make the same changes to the metadata they have in common. Returns the Error (diverged) for
/// names that more than one made; what fails on one rank alone is deferred.
/// @param largest, smallest number of bytes that a rank has
/// @collective
std::exception_ptr merge_local_edits(FileState& file, PackedLocalEdits mine, std::uint64_t largest,
                                     std::uint64_t smallest);

/// Writes contiguous data that has its place since then. Throws Error (io): it can be tried again.
void write_merged_data(FileState& file);

}  // namespace onecast
