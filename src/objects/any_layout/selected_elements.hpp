#pragma once

#include <span>

#include "base/namespaces.hpp"
#include "objects/nodes/node.hpp"
#include "space/bound_selection.hpp"

/// Reads and writes the elements of a dataset, for every layout.
namespace onecast::elements {
class ElementTarget;
class StoredElements;
}  // namespace onecast::elements

namespace onecast::any_layout {

/// Reads the selected elements in the stored type. Does not communicate.
void read_selected(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);
void read_selected(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Throws Error (format) if the file cannot hold as many elements as the dataspace claims.
void require_stored(Node& dataset);

/// Returns true if the elements are in memory on every rank.
bool is_in_memory(Node& dataset);

/// Throws Error (unsupported, format) unless the dataset has contiguous storage that can be
/// written, here or in external files; alike on all ranks.
void require_contiguous(Node& dataset);
/// Does what require_contiguous() does, but accepts chunked storage as well.
void require_writable_storage(Node& dataset);

/// Writes elements of contiguous storage. Does not communicate.
void write_contiguous(Node& dataset, const BoundSelection& selection,
                      const StoredElements& elements);

/// Changes elements in this rank's copy of a compact dataset's header.
void write_compact(Node& dataset, const Selection& part, std::span<const std::byte> bytes);

}  // namespace onecast::any_layout
