#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "onecast/objects/dataset.hpp"

/// Chunks in their stored form, after the filters: for programs that filter chunks themselves or
/// move data without decoding it. All functions throw Error: invalid_argument (not chunked, or
/// `start` is not the first element of a chunk), and io, state, format, unsupported as Dataset
/// does. All but place_chunks and write_placed_chunks are @independent.
namespace onecast {

/// Where a written chunk lies.
struct StoredChunk {
  Shape start{};                  ///< coordinates of its first element
  std::uint64_t size = 0;         ///< bytes, as stored
  std::uint32_t filter_mask = 0;  ///< bit n set: filter n of the dataset was not applied
  /// Address in the file. Absent: this rank has changed the chunk and keeps it in memory until the
  /// next flush; only read_stored_chunk then returns its size and mask.
  std::optional<std::uint64_t> address{};
};

/// The stored bytes of a chunk, and the filters that were not applied.
struct StoredBytes {
  std::vector<std::byte> bytes{};
  std::uint32_t filter_mask = 0;
};

/// Lists the chunks that were written, in C order of their first elements.
std::vector<StoredChunk> stored_chunks(const Dataset& dataset);
/// The chunk that begins at `start`; absent if it was never written.
std::optional<StoredChunk> find_stored_chunk(const Dataset& dataset, const Shape& start);
/// Reads the stored bytes of a chunk. Throws also Error (not_found) if the chunk was never written.
StoredBytes read_stored_chunk(const Dataset& dataset, const Shape& start);
/// Reads them to `out`, whose memory is used again.
void read_stored_chunk(const Dataset& dataset, const Shape& start, StoredBytes& out);

/// A chunk that read_stored_chunks() has brought to memory.
struct LoadedChunk {
  Shape start{};                  ///< coordinates of its first element
  std::size_t at = 0;             ///< its first stored byte
  std::size_t size = 0;           ///< bytes, as stored
  std::uint32_t filter_mask = 0;  ///< as StoredChunk::filter_mask
};

/// Reads the stored bytes of all chunks that have elements of `part` to out[at, ...), which grows
/// if it has to: those that lie side by side in the file by one read. Returns them in C order; a
/// few bytes may lie between two. Throws also Error (not_found) if one was never written.
std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::vector<std::byte>& out, std::size_t at = 0);

/// Undoes the filters of a dataset's chunks, for programs that decode in threads of their own. It
/// uses neither the dataset nor its file any more, and copies of it share what they know.
class ChunkDecoder {
 public:
  /// For the chunks as they are now: another extent may change which of them lie at the edge.
  explicit ChunkDecoder(const Dataset& dataset);

  /// Bytes of a whole chunk without filters, at the edge of the dataset as well.
  [[nodiscard]] std::uint64_t chunk_bytes() const;
  /// Fills `out`, which has chunk_bytes(), with the elements of the chunk that begins at `start`,
  /// in the datatype of the dataset. `stored` is what read_stored_chunk gave, and not to be
  /// trusted: `out` is in no particular state if it is damaged. Throws Error: invalid_argument (the
  /// size of `out`), format, unsupported. Thread-safe. @independent
  void decode(const Shape& start, const StoredBytes& stored, std::span<std::byte> out) const {
    decode(start, stored.bytes, stored.filter_mask, out);
  }
  void decode(const Shape& start, std::span<const std::byte> stored, std::uint32_t filter_mask,
              std::span<std::byte> out) const;

 private:
  struct Known;
  std::shared_ptr<const Known> known_;
};

/// Writes a whole chunk that the caller has filtered: `bytes` is the result of the dataset's
/// filters, without those in `filter_mask`. Onecast does not examine the bytes. Other ranks see the
/// chunk when they would see the elements of a Dataset::write. Without filters `bytes` has the size
/// of a whole chunk, also at the edge of the dataset. Throws also Error: invalid_argument for an
/// empty chunk, for one that is far larger than without filters, and for a mask with filters that
/// the dataset does not have; unsupported for values of variable length.
void write_stored_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes,
                        std::uint32_t filter_mask = 0);

/// A chunk that is to get its place: see place_chunks.
struct ChunkPlacement {
  Shape start{};                  ///< coordinates of its first element
  std::uint64_t size = 0;         ///< bytes, as stored; without filters ignored
  std::uint32_t filter_mask = 0;  ///< as StoredChunk::filter_mask
  /// Without filters: one rank writes all of it, as if it had filters. Only then the chunk may get
  /// space that other data had.
  bool is_whole = false;
};

/// Gives chunks their places in the file, in the order of the list, so that ranks can write them
/// without waiting for a flush. Chunks that have a place keep it. Without filters, any rank may
/// then write any elements of these chunks: Dataset::write goes to the file at once; if the fill
/// value is not zero, the first rank fills them in this call, and other ranks wait until it has.
/// With filters, and if it is_whole, one rank writes each chunk, once, by write_placed_chunk or
/// write_placed_chunks and before the next flush; a chunk that nobody writes cannot be read. The
/// bytes of the file follow from the lists, not from who writes. Throws also Error:
/// invalid_argument (a size of 0, or far larger than without filters), unsupported (a structure
/// that cannot be changed; values of variable length).
/// @collective @same; does not communicate
void place_chunks(Dataset& dataset, std::span<const ChunkPlacement> chunks);

/// Writes the stored bytes of a chunk to the place that place_chunks has given it since
/// the last flush. Throws also Error (state) if that has given none of this size. @independent
void write_placed_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes);

/// The stored bytes of a chunk that has its place.
struct PlacedChunk {
  Dataset dataset{};
  Shape start{};                       ///< coordinates of its first element
  std::span<const std::byte> bytes{};  ///< of the size that place_chunks was told
};

/// As write_placed_chunk, of chunks of any datasets of the file, by all ranks together: where the
/// chunks of several ranks lie in one stripe of the file system, one rank writes it for all. A rank
/// without chunks passes none. Nothing is written if a rank throws before that.
/// @param failure what keeps this rank from it: all ranks throw it. @collective @local
void write_placed_chunks(File& file, std::span<const PlacedChunk> chunks,
                         const std::exception_ptr& failure = {});

}  // namespace onecast
