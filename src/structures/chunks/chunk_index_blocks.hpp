#pragma once

#include <functional>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_grid.hpp"
#include "structures/metadata_source.hpp"

namespace onecast::structures {

/// Calls each(address, size) for the blocks of a dataset's chunk index. `node_k`: "Indexed Storage
/// Internal Node K" of the file.
void for_each_index_block(MetadataSource& source, const ChunkGrid& grid,
                          const DataLayoutMessage& layout, bool filtered, unsigned node_k,
                          const std::function<void(Address, std::uint64_t)>& each);

}  // namespace onecast::structures
