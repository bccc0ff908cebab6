#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/nodes/node.hpp"

/// Functions for both reading and writing chunks.
namespace onecast::chunks {

/// Returns "FILE: DATASET: chunk at (...)", with which errors begin.
std::string where_is(const Node& dataset, const ChunkGrid& grid, std::uint64_t number);

/// Returns true if filters apply to this chunk when it is written.
bool is_filtered(const DatasetInfo& info, std::uint64_t number);

/// Throws Error (unsupported), which names the filter, if Onecast cannot decode, or encode, with a
/// filter of the dataset. Every small read calls this: without filters it costs nothing.
void require_decoders(Node& dataset);
void require_coders(Node& dataset);

/// Returns the shape of what is decoded at once, a filtered chunk, so that readers by parts read
/// whole ones. Empty: any part can be read alone.
Shape decoded_at_once(const DatasetInfo& info);

/// Returns the largest size accepted for a filtered chunk of `bytes` bytes: no useful filter makes
/// it much larger.
inline std::uint64_t largest_stored(std::uint64_t bytes) {
  constexpr std::uint64_t kMostGrowth = 8;
  constexpr std::uint64_t kFree = std::uint64_t{64} << 10U;
  return (bytes + kFree) * kMostGrowth + kMostGrowth - 1;
}

/// Throws Error (format) unless a chunk of the dataset can have that address and size.
void check_place(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place);
void check_places(Node& dataset, std::span<const ChunkPlace> places);

/// Returns true if this many chunks are cached for further reads once they are decoded. Reads that
/// are large compared with the cache would only evict everything else.
bool is_cached(const FileState& file, const ChunkGrid& grid, std::uint64_t chunks);

/// Returns true if all chunks of a dataset may be in memory, or be loaded when one is read, because
/// it is small.
bool are_small(const FileState& file, const ChunkGrid& grid);
/// Returns true if the chunks came with the metadata: all of a dataset do, or none.
bool are_in_store(const FileState& file, std::span<const ChunkPlace> places);

/// Reads the stored chunk and decodes it into `out`, which has the size of a chunk.
void read_chunk(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place,
                std::span<std::byte> out);

/// Sets the elements of a decoded chunk beyond `extent` to the fill value.
void fill_beyond(std::span<std::byte> chunk, const ChunkGrid& grid, std::uint64_t number,
                 const ChunkCoordinates& extent, ByteView element, std::size_t element_size);

}  // namespace onecast::chunks
