#pragma once

#include <functional>

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::check {

/// Looks at all of a chunk index, and calls `each` for every chunk that it has.
void check_chunk_index(CheckContext& context, const ChunkGrid& grid,
                       const DataLayoutMessage& layout, bool filtered,
                       const ChunkIndex::Each& each);

}  // namespace onecast::check
