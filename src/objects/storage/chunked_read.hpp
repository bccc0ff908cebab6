#pragma once

#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

class ElementTarget;

/// Reads the selected elements of chunked storage: neighbours in the file together, decoded on
/// several threads.
void read_chunked(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Reads selected elements of these chunks, which `source` has as they are stored.
void read_chunks_of(Node& dataset, const BoundSelection& selection, const ElementTarget& out,
                    std::span<const ChunkPlace> places,
                    const std::function<void(Address, std::span<std::byte>)>& source);

}  // namespace onecast::storage
