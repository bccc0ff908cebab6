#pragma once

#include <deque>
#include <exception>
#include <span>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/together/shared_read.hpp"

/// Reads directly stored data of a rank.
namespace onecast::together {

/// The extents of a list of reads, merged.
struct MergedExtents {
  ExtentList extents;
  bool any_by_parts = false;  ///< some reads go by parts: their extents are not included
  bool small_pieces = false;  ///< there are many small pieces, by parts or not
};
/// Adds the memory for the extents to `buffers`. If two reads of a dataset have elements in common,
/// the second one forgets its extents and is read separately.
MergedExtents merge_extents(std::deque<SharedRead>& reads, InBuffers& buffers);

/// Reads this rank's `reads`, which go by parts, as much as a buffer takes at a time. Ranks that
/// have finished take part. Throws Error on all ranks if any has failed, before (`failure`) or
/// here. @collective
void read_in_rounds(FileState& file, std::span<SharedRead* const> reads, Method method,
                    std::exception_ptr failure);

}  // namespace onecast::together
