#pragma once

#include <memory>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_index.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// The index that a Data Layout message of class chunked names. Without a storage address, there
/// are no chunks. `source` must outlive it. Reads nothing yet, but may refuse the message.
std::unique_ptr<ChunkIndex> open_chunk_index(MetadataSource& source, const ChunkGrid& grid,
                                             const DataLayoutMessage& layout, bool filtered);

}  // namespace onecast::structures
