#pragma once

#include "base/namespaces.hpp"
#include "format/infra/extensible_array.hpp"
#include "structures/chunks/chunk_grid.hpp"

/// The index of the chunks of a dataset, and its parameters.
namespace onecast::structures {

/// The properties of a dataset on which the choice of an index depends.
struct ChunkIndexUse {
  const ChunkGrid& grid;
  bool filtered;
  std::uint64_t page_size;  ///< of the file's metadata pages
  const FileContext& file;
};

/// Chooses the index of a new dataset with version 4 of the message, as the HDF5 library does. One
/// chunk that is the whole dataset needs no index. Datasets without unlimited dimensions get a
/// fixed array, those with one an extensible array, those with more a version 2 B-tree. If an array
/// would be too large, version 3 of the message with its B-tree is used.
void choose_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use);

/// Chooses the index of a dataset whose index is written anew: its kind stays, except for the
/// implicit kind, which cannot express that a chunk is missing. Versions 1 and 2 of the message
/// become 3; version 5 becomes 4, which more libraries read.
void renew_chunk_index(DataLayoutMessage& layout, const ChunkIndexUse& use);

/// The size of the field "Chunk Size" of a chunk's entry; 0 for chunks that are not filtered.
std::uint8_t chunk_size_size(const ChunkIndexUse& use);

/// The header of an empty extensible array.
ExtensibleArrayHeader empty_extensible_array(const ChunkIndexParameters& parameters);

/// True if the grid is larger than an extensible array can be, or than a fixed one should be.
bool exceeds_extensible_array(const ChunkGrid& grid);
bool exceeds_fixed_array(const ChunkGrid& grid);

}  // namespace onecast::structures
