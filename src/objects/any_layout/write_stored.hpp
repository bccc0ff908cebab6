#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_write.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::any_layout {

/// Returns true if this rank's independent writes that need a place wait for the flush. This is so
/// on a communicator, even of one rank, since places must not depend on the number of ranks.
bool waits_for_flush(const Node& dataset);
/// Returns when the chunks of independent writes get their places.
Allocation allocation_for(const Node& dataset);
/// Does what allocation_for() does, for writes that all ranks give alike.
Allocation allocation_of_equal(const Node& dataset);

/// Throws Error (state) unless the dataset can be written: the space of a removed one may already
/// belong to another object.
void require_there(const Node& dataset);

/// Writes elements in stored form to contiguous or chunked storage. Does not communicate.
void write_stored(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                  Allocation allocation);

/// Rank 0 writes what all ranks have; the next flush reports an error.
void write_once(Node& dataset, const Selection& part, const StoredElements& elements);

/// Does what write_once() does for all elements of a new dataset.
void write_first(Node& dataset, std::span<const std::byte> bytes);

}  // namespace onecast::any_layout
