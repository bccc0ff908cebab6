#pragma once

#include <exception>

#include "base/namespaces.hpp"
#include "objects/files/file_state.hpp"
#include "objects/independent/local_part.hpp"

namespace onecast::independent {

/// Packs what this rank did inside independent(). An error is deferred: then, and if there is
/// nothing, the result has no bytes.
PackedLocalEdits pack_local_edits(FileState& file);

/// The sizes of all ranks' parts.
struct LargestPart {
  std::uint64_t largest;   ///< the most bytes of any rank
  std::uint64_t smallest;  ///< the fewest bytes of any rank
  std::uint64_t compact;   ///< the largest compact_bytes_of() of any rank
};
/// Returns the bytes of data that is compact by default.
std::uint64_t compact_bytes_of(const PackedLocalEdits& mine);

/// Merges the local edits of all ranks in the order of the ranks: after one exchange, all ranks
/// make equal changes to the metadata that they share. Returns the Error (diverged) for names that
/// several ranks created; errors of one rank are deferred.
/// Data that is compact by default stays compact if there is room for that of all ranks; finding
/// this out takes one more reduction if there may be none.
/// @collective
std::exception_ptr merge_local_edits(FileState& file, PackedLocalEdits mine,
                                     const LargestPart& parts);

/// Writes contiguous data that has its place now. Throws Error (io); it can be called again.
void write_merged_data(FileState& file);

}  // namespace onecast::independent
