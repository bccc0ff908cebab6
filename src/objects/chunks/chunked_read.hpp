#pragma once

#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/nodes/node.hpp"

namespace onecast::elements {
class ElementTarget;
}  // namespace onecast::elements

namespace onecast::chunks {

/// Reads the selected elements of chunked storage: adjacent chunks together, decoded on several
/// threads.
void read_chunked(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Reads the selected elements of these chunks; `source` has their stored bytes.
void read_chunks_of(Node& dataset, const BoundSelection& selection, const ElementTarget& out,
                    std::span<const ChunkPlace> places,
                    const std::function<void(Address, std::span<std::byte>)>& source);

}  // namespace onecast::chunks
