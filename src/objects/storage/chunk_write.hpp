#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::storage {

/// When chunks get their place in the file.
enum class Placing : std::uint8_t {
  at_once,          ///< as soon as they are encoded; for one rank alone
  at_flush,         ///< other ranks do not know of them before
  at_flush_of_all,  ///< as at_flush; all ranks have these elements, and one of them keeps them
  given             ///< they have it, but nothing was written yet
};

class StoredElements;

/// Writes elements of a chunked dataset. What has its place already and no filters is written in
/// place; all else is pending until flush, or until it gets its place. Does not communicate.
void write_chunked(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                   Placing placing);

/// Writes the elements if all of them lie in chunks that can be written in place: then other ranks
/// need not know. Else changes nothing and returns false. Does not communicate.
bool write_chunks_in_place(Node& dataset, const BoundSelection& selection,
                           const StoredElements& elements);

/// Another rank keeps these elements, which all have: they win over what this rank wrote to their
/// chunks for itself and is pending. Does not communicate.
void give_way(Node& dataset, const BoundSelection& selection, const StoredElements& elements);

/// Gives a new, unfiltered dataset's chunks their places. @same on all ranks
void place_all_chunks(Node& dataset);

}  // namespace onecast::storage
