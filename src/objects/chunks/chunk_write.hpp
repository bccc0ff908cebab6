#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

namespace onecast::elements {
class StoredElements;
}  // namespace onecast::elements

namespace onecast::chunks {

/// When chunks get their places in the file.
enum class Allocation : std::uint8_t {
  at_once,          ///< as soon as they are encoded; for one rank alone
  at_flush,         ///< at the flush; other ranks do not know them before
  at_flush_of_all,  ///< as at_flush; all ranks have these elements, and one of them keeps them
  given             ///< they have places already, but nothing is written there yet
};

/// Writes elements of a chunked dataset. Unfiltered chunks with a place are written in place; all
/// others are pending until the flush, or until they get their places. Does not communicate.
void write_chunked(Node& dataset, const BoundSelection& selection, const StoredElements& elements,
                   Allocation allocation);

/// Writes the elements if all of them lie in chunks that can be written in place, so that other
/// ranks need not know. Otherwise changes nothing and returns false. Does not communicate.
bool write_chunks_in_place(Node& dataset, const BoundSelection& selection,
                           const StoredElements& elements);

/// Notes that another rank keeps these elements, which all ranks gave: they override pending
/// independent writes of this rank to the same elements. Does not communicate.
void give_way(Node& dataset, const BoundSelection& selection, const StoredElements& elements);

}  // namespace onecast::chunks
