#pragma once

#include <functional>
#include <span>

#include "base/namespaces.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"

namespace onecast::storage {

class ElementTarget;

/// Reads the selected elements of chunked storage: adjacent chunks together, decoded on several
/// threads.
void read_chunked(Node& dataset, const BoundSelection& selection, const ElementTarget& out);

/// Reads the selected elements of these chunks; `source` has their stored bytes.
void read_chunks_of(Node& dataset, const BoundSelection& selection, const ElementTarget& out,
                    std::span<const ChunkPlace> places,
                    const std::function<void(Address, std::span<std::byte>)>& source);

}  // namespace onecast::storage
