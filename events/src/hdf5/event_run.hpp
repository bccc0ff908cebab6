#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {

/// A run of events in memory, in stored form. Cursors share it; only unpack() changes it.
class EventRun {
 public:
  /// A part of one of the blocks in `memory`.
  struct Part {
    std::size_t memory = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
  };

  /// A chunk in stored form, in memory 0.
  struct PackedChunk {
    const ChunkDecoder* decoder = nullptr;
    LoadedChunk chunk;
  };

  std::string where;  ///< begins errors
  std::uint64_t first = 0;
  std::vector<Identity> identities;
  std::vector<std::vector<std::byte>> memory;

  Codec of_batch = Codec::none, of_event = Codec::none, of_product = Codec::none;
  /// True if compressed pieces begin with their size. If not, the size follows from the ends of the
  /// products.
  bool has_sizes = true;
  /// The chunks that unpack() decodes, in order, and their size in memory 0.
  std::vector<PackedChunk> chunks;
  std::size_t chunk_bytes = 0;
  /// Each event as one part, and the ends of its products in it, once it is unpacked. If the batch
  /// or its chunks are compressed, parts refer to the result of unpack(); otherwise to memory 0.
  std::vector<Part> events;
  std::vector<std::uint64_t> ends;
  /// Used in place of `events` if each product of each event is a part.
  std::vector<Part> products;

  [[nodiscard]] std::uint64_t end() const { return first + identities.size(); }
  [[nodiscard]] bool contains(std::uint64_t entry) const { return entry >= first && entry < end(); }
  /// Returns the bytes of a part. Throws what prevented the decoding of its chunks.
  [[nodiscard]] Bytes bytes(const Part& part) const;
  [[nodiscard]] std::string where_is(std::uint64_t entry) const;

  /// True if the batch or its chunks are compressed.
  [[nodiscard]] bool is_packed() const { return of_batch != Codec::none || !chunks.empty(); }
  /// Returns the stored size of the batch or its chunks.
  [[nodiscard]] std::size_t stored_bytes() const;
  /// Decompresses the batch or its chunks once for all events; several threads may call it.
  void unpack();
  /// Announces that another thread will unpack the run, and call end_unpacking() even if that
  /// fails.
  void announce_unpacking() { is_awaited_ = true; }
  void end_unpacking();
  [[nodiscard]] bool is_awaited() const { return is_awaited_; }
  /// Waits for end_unpacking().
  void wait() const { is_awaited_.wait(true); }
  /// Prepares for another run, and keeps the memory.
  void clear();

 private:
  std::mutex mutex_;
  /// A range of unpacked bytes whose chunk could not be decoded.
  struct Failure {
    std::uint64_t start, end;
    std::exception_ptr error;
  };
  void unpack_batch();
  void unpack_chunks();

  bool is_unpacked_ = false;
  std::vector<Failure> failures_;
  std::vector<std::byte> unpacked_;
  std::atomic<bool> is_awaited_ = false;
};

}  // namespace onecast::events::hdf5
