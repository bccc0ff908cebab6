#pragma once

#include <deque>
#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/together/shared_read.hpp"

/// What a rank reads of data that lies in the file as it is.
namespace onecast::together {

/// The extents of a list of reads, as one.
struct MergedExtents {
  ExtentList extents;
  bool any_by_parts = false;  ///< some reads go by parts: they are not among the extents
  bool small_pieces = false;  ///< many small pieces, by parts or not
};
/// Adds the room for the extents to `buffers`. Where two reads of a dataset have elements in
/// common, the second one forgets its extents: it is read for itself.
MergedExtents merge_extents(std::deque<SharedRead>& reads, InBuffers& buffers);

/// Reads this rank's `reads`, which go by parts, as much as a buffer takes at a time. Ranks that
/// have no more take part. Throws Error on all ranks if any has failed, before (`failure`) or here.
/// @collective
void read_in_rounds(FileState& file, std::span<SharedRead* const> reads, Method method,
                    std::exception_ptr failure);

}  // namespace onecast::together
