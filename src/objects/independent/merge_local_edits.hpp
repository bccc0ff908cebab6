#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "objects/independent/local_part.hpp"
#include "objects/tree/file_state.hpp"

namespace onecast::independent {

/// What this rank did inside independent(), ready to be sent. What fails is deferred: then, and if
/// there is nothing, it has no bytes.
PackedLocalEdits pack_local_edits(FileState& file);

/// What is known of all ranks' parts.
struct LargestPart {
  std::uint64_t largest;   ///< the most bytes that a rank has
  std::uint64_t smallest;  ///< the fewest bytes that a rank has
  std::uint64_t compact;   ///< the most compact_bytes_of() that a rank has
};
/// Of data that is compact only because it is small.
std::uint64_t compact_bytes_of(const PackedLocalEdits& mine);

/// Makes what each rank did everyone's, in the order of the ranks: one exchange, then all ranks
/// make the same changes to the metadata they have in common. Returns the Error (diverged) for
/// names that more than one made; what fails on one rank alone is deferred.
/// Data that is compact only because it is small stays so if that of all ranks has room; what that
/// costs is one reduction, where it may have none.
/// @collective
std::exception_ptr merge_local_edits(FileState& file, PackedLocalEdits mine,
                                     const LargestPart& parts);

/// Writes contiguous data that has its place since then. Throws Error (io): it can be tried again.
void write_merged_data(FileState& file);

}  // namespace onecast::independent
