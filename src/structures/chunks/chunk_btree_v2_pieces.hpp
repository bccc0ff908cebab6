#pragma once

#include <functional>
#include <memory>

#include "base/namespaces.hpp"
#include "structures/chunks/chunk_record_form.hpp"
#include "structures/pieces.hpp"

namespace onecast::structures {

/// The version 2 B-tree of a dataset's chunks, built at once. `chunk(i)` returns the i-th of
/// `count` chunks, in the order of their coordinates.
std::unique_ptr<Pieces> chunk_btree_v2_pieces(const ChunkRecordForm& form, std::uint32_t node_size,
                                              std::uint64_t count,
                                              std::function<ChunkEntry(std::uint64_t)> chunk,
                                              const FileContext& file);

}  // namespace onecast::structures
