#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "onecast/objects/dataset.hpp"

/// Chunks in their stored form, after the filters, for programs that filter chunks themselves or
/// move data without decoding it. All functions throw Error: invalid_argument (not chunked, or
/// `start` is not the first element of a chunk), and io, state, format, unsupported as Dataset
/// does.
namespace onecast {

/// The position of a written chunk.
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

/// Lists the chunks that were written, in C order of their first elements. @independent
std::vector<StoredChunk> stored_chunks(const Dataset& dataset);
/// Returns the chunk that begins at `start`; absent if it was never written. @independent
std::optional<StoredChunk> find_stored_chunk(const Dataset& dataset, const Shape& start);
/// Reads the stored bytes of a chunk. Also throws Error (not_found) if the chunk was never written.
/// @independent
StoredBytes read_stored_chunk(const Dataset& dataset, const Shape& start);
/// Reads the stored bytes of a chunk to `out`, whose memory is reused. @independent
void read_stored_chunk(const Dataset& dataset, const Shape& start, StoredBytes& out);

/// A chunk that read_stored_chunks() has brought to memory.
struct LoadedChunk {
  Shape start{};                  ///< coordinates of its first element
  std::size_t at = 0;             ///< the position of its first stored byte in `out`
  std::size_t size = 0;           ///< bytes, as stored
  std::uint32_t filter_mask = 0;  ///< as StoredChunk::filter_mask
};

/// Reads the stored bytes of a chunk to the beginning of `out`, which may be memory of a device (a
/// GPU). Also throws Error: not_found, invalid_argument if `out` has no room for them. @independent
LoadedChunk read_stored_chunk(const Dataset& dataset, const Shape& start, std::span<std::byte> out);

/// Reads the stored bytes of all chunks that have elements of `part` to out[at, ...), which grows
/// if necessary. One read takes all chunks that are adjacent in the file. Returns the chunks in C
/// order; in `out`, a few bytes may lie between two chunks. Also throws Error (not_found) if a
/// chunk was never written. @independent
std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::vector<std::byte>& out, std::size_t at = 0);
/// Does the same for memory that does not grow and may be that of a device, where the program can
/// decode the chunks. Each of them begins at a multiple of 16 bytes. Also throws Error
/// (invalid_argument) if `out` has fewer bytes than room_for_stored_chunks() returns. @independent
std::vector<LoadedChunk> read_stored_chunks(const Dataset& dataset, const Selection& part,
                                            std::span<std::byte> out);
/// Does the same for memory that `room` returns. It is called once, with the number of bytes that
/// the chunks take: chunks that wait for the flush are encoded to know it, and only once.
/// @independent
std::vector<LoadedChunk> read_stored_chunks(
    const Dataset& dataset, const Selection& part,
    const std::function<std::span<std::byte>(std::size_t)>& room);
/// Returns how many bytes the chunks of a part take in such memory. @independent
std::size_t room_for_stored_chunks(const Dataset& dataset, const Selection& part);

/// Decodes the chunks of a dataset, for programs that decode in threads of their own. After its
/// construction it uses neither the dataset nor its file. Copies share their state.
class ChunkDecoder {
 public:
  /// Makes a decoder for the current shape of the dataset: a resize may change which chunks lie at
  /// the edge.
  explicit ChunkDecoder(const Dataset& dataset);

  /// The size of a decoded chunk in bytes; chunks at the edge of the dataset have this size, too.
  /// @independent
  [[nodiscard]] std::uint64_t chunk_bytes() const;
  /// Fills `out`, which has chunk_bytes(), with the elements of the chunk that begins at `start`,
  /// in the datatype of the dataset. `stored` is the result of read_stored_chunk and need not be
  /// trusted: if it is damaged, the contents of `out` are unspecified. Throws Error:
  /// invalid_argument (the size of `out`), format, unsupported. Thread-safe. @independent
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
/// filters, without those in `filter_mask`; it may be in memory of a device (a GPU). Onecast does
/// not examine the bytes. Other ranks see the chunk when they would see the elements of a
/// Dataset::write. Without filters `bytes` has the size of a whole chunk, also at the edge of the
/// dataset. Also throws Error: invalid_argument for an empty chunk, for one that is far larger than
/// without filters, and for a mask with filters that the dataset does not have; unsupported for
/// values of variable length. @independent
void write_stored_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes,
                        std::uint32_t filter_mask = 0);

/// A chunk to which allocate_chunks gives a place.
struct NewChunk {
  Shape start{};                  ///< coordinates of its first element
  std::uint64_t size = 0;         ///< bytes, as stored; ignored without filters
  std::uint32_t filter_mask = 0;  ///< as StoredChunk::filter_mask
  /// True: one rank writes the whole chunk, as it always does with filters. Only then may a chunk
  /// without filters get space that other data had.
  bool is_whole = false;
};

/// Gives chunks their places in the file, in the order of the list, so that ranks can write them
/// without waiting for a flush. Chunks that have a place keep it. Without filters, any rank may
/// write any elements of these chunks: Dataset::write goes to the file at once. If the fill value
/// is not zero, such a chunk gets its place at the next flush only, since it must be filled first;
/// what Dataset::write is given waits in memory until then. With filters, or if is_whole is set,
/// one rank writes each chunk, once, by write_allocated_chunk or write_allocated_chunks and before
/// the next flush; a chunk that no rank writes cannot be read. The bytes of the file follow from
/// the lists, not from which rank writes. Also throws Error: invalid_argument (a size of 0, or far
/// larger than without filters), unsupported (a structure that cannot be changed; values of
/// variable length).
/// @replicated
void allocate_chunks(Dataset& dataset, std::span<const NewChunk> chunks);

/// Writes the stored bytes of a chunk to the place that allocate_chunks has given it since the last
/// flush. Also throws Error (state) if the chunk has no such place of this size. @independent
void write_allocated_chunk(Dataset& dataset, const Shape& start, std::span<const std::byte> bytes);

/// The stored bytes of a chunk that has a place.
struct AllocatedChunk {
  Dataset dataset{};
  Shape start{};                       ///< coordinates of its first element
  std::span<const std::byte> bytes{};  ///< as many as allocate_chunks was told
};

/// Writes chunks of any datasets of the file as write_allocated_chunk does, in one collective call:
/// if chunks of several ranks lie in one stripe of the file system, one rank writes the stripe for
/// all. A rank without chunks passes an empty list. If a rank throws before the transfer, nothing
/// is written.
/// @param failure an error that keeps this rank from passing a list; all ranks throw it.
/// @collective @local
void write_allocated_chunks(File& file, std::span<const AllocatedChunk> chunks,
                            const std::exception_ptr& failure = {});

}  // namespace onecast
