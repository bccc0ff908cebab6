#pragma once

#include "base/namespaces.hpp"
#include "format/infra/extensible_array.hpp"
#include "structures/chunks/chunk_grid.hpp"

/// Which index the chunks of a dataset have, and how it is made.
namespace onecast::structures {

/// What it is made for.
struct ChunkIndexUse {
  const ChunkGrid& grid;
  bool filtered;
  std::uint64_t page_size;  ///< of the file's metadata pages
  const FileContext& file;
};

/// Of a dataset to be created with version 4 of the message: the library's choice. One chunk that
/// is the whole dataset needs no index; a fixed array is for datasets that cannot grow without
/// bounds, an extensible array for those that can in one dimension, a version 2 B-tree for more.
/// Version 3 with its B-tree remains where an array would be too large.
void choose_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use);

/// Chooses the index of a dataset whose index is to be written anew: its kind stays, except the
/// implicit kind, which cannot say that a chunk is not there. Versions 1 and 2 of the message
/// become 3, version 5 becomes 4, which more libraries read.
void renew_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use);

/// Bytes of the field "Chunk Size" of a chunk's entry; 0 of chunks that are not filtered.
std::uint8_t chunk_size_size(const ChunkIndexUse& use);

/// An empty extensible array.
ExtensibleArrayHeader empty_extensible_array(const ChunkIndexParameters& parameters);

/// Is the grid larger than an extensible array can be, or than a fixed one should?
bool exceeds_extensible_array(const ChunkGrid& grid);
bool exceeds_fixed_array(const ChunkGrid& grid);

}  // namespace onecast::structures
