#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "objects/storage/chunk_write.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::storage {

/// Does what this rank writes for itself wait for the flush, where it needs a place in the file?
/// Where others may write too: on one rank as well, since places must not tell how many there are.
bool waits_for_flush(const Node& dataset);
/// When chunks that this rank writes for itself get their places.
Placing placing_for(const Node& dataset);

/// Throws Error (state) unless the dataset can be written to: the space of a removed one may be
/// another's already.
void require_there(const Node& dataset);

/// Elements, as they are stored, into contiguous or chunked storage. Does not communicate.
void write_stored(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                  Placing placing);

/// Rank 0 writes what all ranks have; an error waits for the next flush.
void write_once(Node& dataset, const Selection& part, const StoredElements& elements);

/// The same of a dataset that is new: all of it.
void write_first(Node& dataset, std::span<const std::byte> bytes);

}  // namespace onecast::storage
