#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "compression/compression.hpp"
#include "onecast/events/identity.hpp"
#include "onecast/events/product.hpp"
#include "onecast/objects/stored_chunks.hpp"

namespace onecast::events::hdf5 {

/// A run of events of a file in memory, as they are stored. Cursors share it; only unpack() changes
/// it.
class EventRun {
 public:
  /// A part of one of the pieces of memory.
  struct Part {
    std::size_t memory = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
  };

  /// A chunk as it is stored, in memory 0.
  struct PackedChunk {
    const ChunkDecoder* decoder = nullptr;
    LoadedChunk chunk;
  };

  std::string where;  ///< begins errors
  std::uint64_t first = 0;
  std::vector<Identity> identities;
  std::vector<std::vector<std::byte>> memory;

  Codec of_batch = Codec::none, of_event = Codec::none, of_product = Codec::none;
  /// Do compressed pieces begin with their size? If not, it follows from the ends of the products.
  bool has_sizes = true;
  /// Chunks that unpack() decodes, one behind the other, and how much of memory 0 they take.
  std::vector<PackedChunk> chunks;
  std::size_t chunk_bytes = 0;
  /// Each event as one part, and where its products end in it, once it is unpacked. Where the batch
  /// or its chunks are compressed, parts count in what unpack() makes of them; as they are stored,
  /// they are memory 0.
  std::vector<Part> events;
  std::vector<std::uint64_t> ends;
  /// Or each product of each event.
  std::vector<Part> products;

  [[nodiscard]] std::uint64_t end() const { return first + identities.size(); }
  [[nodiscard]] bool contains(std::uint64_t entry) const { return entry >= first && entry < end(); }
  /// Throws what kept its chunks from being decoded.
  [[nodiscard]] Bytes bytes(const Part& part) const;
  [[nodiscard]] std::string where_is(std::uint64_t entry) const;

  /// Are the batch or its chunks compressed?
  [[nodiscard]] bool is_packed() const { return of_batch != Codec::none || !chunks.empty(); }
  /// Of what is packed.
  [[nodiscard]] std::size_t stored_bytes() const;
  /// Decompresses them, once for all events; several threads may ask for it.
  void unpack();
  /// Another thread is going to unpack it, and to call end_unpacking() whether it could or not.
  void announce_unpacking() { is_awaited_ = true; }
  void end_unpacking();
  [[nodiscard]] bool is_awaited() const { return is_awaited_; }
  /// Until that has happened.
  void wait() const { is_awaited_.wait(true); }
  /// For another run: keeps the memory.
  void clear();

 private:
  std::mutex mutex_;
  /// Unpacked bytes of a chunk that could not be decoded.
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
