#pragma once

#include "base/namespaces.hpp"
#include "check/check_context.hpp"
#include "structures/chunks/chunk_index.hpp"

namespace onecast::check {

/// Checks a whole chunk index, and calls `each` for every chunk in it.
void check_chunk_index(CheckContext& context, const ChunkGrid& grid,
                       const DataLayoutMessage& layout, bool filtered,
                       const ChunkIndex::Each& each);

}  // namespace onecast::check
