#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/buffer_list.hpp"
#include "collective/extent_list.hpp"
#include "objects/any_layout/stored_extents.hpp"
#include "objects/files/file_state.hpp"
#include "objects/together/chunk_sharing.hpp"
#include "objects/together/requests.hpp"
#include "objects/together/settle_writes.hpp"
#include "objects/together/shared_read.hpp"
#include "onecast/objects/multi.hpp"

namespace onecast::together {

/// The flags that ranks send to each other. All ranks receive the union.
struct ReadNews {
  enum Flag : std::uint64_t {
    kUnfilled = 1,     ///< some data is not filled yet
    kSmallPieces = 2,  ///< the rank wants many small pieces
    kElsewhere = 4,    ///< the rank wants data of the file that has no extents
    kReadsTheFile = 8,
    kList = 16,             ///< not exactly one dataset
    kDecodes = 32,          ///< the rank wants chunks that must be decoded
    kByParts = 64,          ///< the rank converts, or rearranges, more than a buffer takes
    kExtentsByParts = 128,  ///< the same, of data that has extents
    kPendingChunks = 256,   ///< the rank wrote chunks that others do not see yet
    kPendingCompact = 512,  ///< the rank wrote compact data that others do not see yet
    kPendingValues = 1024,  ///< the rank wrote values that have no place yet
    kDevice = 2048,         ///< the rank reads into memory of a device, which may refuse elements
  };
};

/// A call on this rank. Everything except the reads is equal on all ranks.
struct ReadCall {
  FileState& file;
  CallKind kind;
  std::span<const Read> reads;
  Datasets named;
  Sharing sharing;
  AskedTransfer asked = asked_transfer(file, TransferDirection::reading, sharing);

  [[nodiscard]] CommunicatorBackend& comm() const { return file.comm(); }
  /// Returns true for one process.
  [[nodiscard]] bool is_alone() const { return comm().size() == 1; }
  /// Returns true if nothing is compared.
  [[nodiscard]] bool is_trusting() const { return is_alone() || sharing == Sharing::trust; }
  /// Returns true if no rank asks what the others wrote: all get what rank 0 has.
  [[nodiscard]] bool asks_first_rank() const {
    return is_trusting() && !is_alone() && file.access() == Access::read_write;
  }
  /// Returns the kinds of this rank's writes to the datasets that it reads which others do not see.
  [[nodiscard]] UnsettledWrites unsettled() const;
};

/// The reads of this rank, prepared before it knows of the other ranks.
struct PreparedRead {
  explicit PreparedRead(const ReadCall& call) : chunks(call.file), call_(call) {}

  /// Checks the reads, looks up where their data lies and reads what is in memory. `settled`: all
  /// ranks know what any rank wrote. Does not communicate.
  void prepare(bool settled);
  /// Does what prepare() does if nothing is compared. Reads nothing.
  void prepare_trusting();
  /// Allocates the memory that hear_elsewhere() needs; prepare() does so, too.
  void make_room();

  std::deque<SharedRead> reads;
  CallSummary summary;  ///< what this rank tells the others
  ExtentList extents;   ///< the merged extents of reads that do not go by parts
  InBuffers buffers;    ///< their memory
  ChunkSharing chunks;  ///< the chunks of other reads that several ranks may want

  [[nodiscard]] std::uint64_t bytes() const;
  /// Returns the first failure of a read that other ranks do not know of, or null.
  [[nodiscard]] std::exception_ptr failure() const;
  /// Returns true if there are several reads. Ranks with their own datasets may name more.
  [[nodiscard]] bool is_list() const { return reads.size() > 1 || call_.named == Datasets::own; }

  /// Takes what was read from the extents.
  void unpack_extents();
  /// Returns the reads that have extents and go by parts.
  [[nodiscard]] std::vector<SharedRead*> by_parts();

  /// Returns the reads of data of the file that has no extents.
  [[nodiscard]] std::vector<SharedRead*> elsewhere();
  [[nodiscard]] std::uint64_t elsewhere_bytes();
  /// Rank 0 reads these and broadcasts them. @collective
  void hear_elsewhere(CommunicatorBackend& comm, bool in_parts);
  /// Looks up the places of `chunks`.
  void look_for_chunks();
  /// Reads those of `elsewhere` that do not share chunks.
  void read_elsewhere_alone();

 private:
  SharedRead& add(const Read& read);
  void find_places(SharedRead& read);
  void flag_unsettled();
  void merge();

  const ReadCall& call_;
  Buffer room_;  ///< the memory for small reads that are broadcast to all ranks
};

}  // namespace onecast::together
