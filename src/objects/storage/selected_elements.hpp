#pragma once

#include <cstdint>
#include <span>

#include "base/namespaces.hpp"
#include "objects/tree/node.hpp"
#include "space/bound_selection.hpp"

/// Elements of a dataset between memory and its storage, whatever its layout.
namespace onecast::storage {

class ElementTarget;
class StoredElements;

/// Reads the selected elements, in the stored type. Does not communicate.
void read_selected(Node& dataset, const BoundSelection& selection, std::span<std::byte> out);
void read_selected(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Throws Error (format) if the file cannot hold all elements, whatever their number claims to be.
void require_stored(Node& dataset);

/// Are the elements in memory on every rank?
bool is_in_memory(Node& dataset);

/// Throws Error (unsupported, format) unless there is contiguous storage to write to, here or in
/// external files, on all ranks alike.
void require_contiguous(Node& dataset);
/// As require_contiguous, but chunked storage will do as well.
void require_writable_storage(Node& dataset);

/// Writes elements of contiguous storage. Does not communicate.
void write_contiguous(Node& dataset, const BoundSelection& selection,
                      const StoredElements& elements);

/// Changes elements in this rank's copy of a compact dataset's header.
void write_compact(Node& dataset, const Selection& part, std::span<const std::byte> bytes);

}  // namespace onecast::storage
