#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "format/objects/data_layout_message.hpp"
#include "objects/nodes/node.hpp"
#include "structures/chunks/chunk_index.hpp"

/// The index of a dataset's chunks in the file.
namespace onecast::chunks {

/// Returns the Data Layout message of the header.
DataLayoutMessage stored_layout(Node& dataset);

inline bool has_filters(Node& dataset) { return !dataset.dataset().filters.empty(); }

/// Returns the index of chunks in this grid if it finds one chunk as fast as a table does; else
/// null.
std::unique_ptr<ChunkIndex> stored_index(Node& dataset, const ChunkGrid& grid);

/// Throws Error (unsupported) if the dataset's index cannot hold the chunks of this shape.
void require_index_room(Node& dataset, const Shape& shape);

}  // namespace onecast::chunks
