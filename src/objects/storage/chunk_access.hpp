#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/namespaces.hpp"
#include "objects/storage/chunk_storage.hpp"
#include "objects/tree/node.hpp"

/// What reading and writing of chunks have in common.
namespace onecast::storage {

/// "FILE: DATASET: chunk at (...)", as errors begin.
std::string where_is(const Node& dataset, const ChunkGrid& grid, std::uint64_t number);

/// Do filters apply to this chunk, when it is written?
bool is_filtered(const DatasetInfo& info, std::uint64_t number);

/// Throws Error (unsupported) naming a filter of the dataset that Onecast cannot decode with, or
/// encode with. Every small read asks: without filters it costs nothing.
void require_decoders(Node& dataset);
void require_coders(Node& dataset);

/// The shape of what is decoded at once, so that who reads by parts takes whole ones: a filtered
/// chunk. Empty: any part can be read alone.
Shape decoded_at_once(const DatasetInfo& info);

/// The most bytes that a chunk of so many is taken to have behind its filters: none that is of use
/// makes it much larger.
inline std::uint64_t largest_stored(std::uint64_t bytes) {
  constexpr std::uint64_t kMostGrowth = 8;
  constexpr std::uint64_t kFree = std::uint64_t{64} << 10U;
  return (bytes + kFree) * kMostGrowth + kMostGrowth - 1;
}

/// Throws Error (format) unless a chunk of the dataset can lie there and have that size.
void check_place(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place);

/// Are so many chunks kept for further reads, once they are decoded? Reads that are large beside
/// the cache would only push everything out of it.
bool is_cached(const FileState& file, const ChunkGrid& grid, std::uint64_t chunks);

/// The chunk as it is stored, decoded into `out`, which has a chunk's size.
void read_chunk(const Node& dataset, const DatasetInfo& info, const ChunkPlace& place,
                std::span<std::byte> out);

/// What of a decoded chunk lies beyond `extent` becomes the fill value.
void fill_beyond(std::span<std::byte> chunk, const ChunkGrid& grid, std::uint64_t number,
                 const ChunkCoordinates& extent, ByteView element, std::size_t element_size);

}  // namespace onecast::storage
