#pragma once

#include <cstdint>

namespace onecast {

/// The calls that one process made to the file system and the network for one file since it was
/// opened, the time that they took, and the memory that it shares. The counts are exact and include
/// failed calls; a call for zero bytes is not counted.
struct IoStats {
  std::uint64_t opens = 0;          ///< times the file was opened
  std::uint64_t reads = 0;          ///< calls of pread, up to 1 GiB each
  std::uint64_t bytes_read = 0;     ///< bytes read
  std::uint64_t writes = 0;         ///< calls of pwrite, up to 1 GiB each
  std::uint64_t bytes_written = 0;  ///< bytes written
  std::uint64_t syncs = 0;          ///< waits for stable storage (fsync)
  /// Collective calls of MPI, or of a communicator of functions, where steps along one tree count
  /// as one call. A broadcast in segments counts once per segment.
  std::uint64_t collectives = 0;
  std::uint64_t file_nanoseconds = 0;  ///< time in reads, writes and syncs, summed over threads
  /// Time in collective transfers (read_all, write_all, lists) outside of reads and writes:
  /// packing, messages, and waiting for other ranks.
  std::uint64_t exchange_nanoseconds = 0;
  /// Bytes of metadata in memory that this process shares with other ranks of its node, which
  /// together have one copy. 0: there are few ranks or there is little metadata, or the system
  /// refuses to share memory, and each rank has its own copy.
  std::uint64_t shared_bytes = 0;

  bool operator==(const IoStats&) const = default;
};

}  // namespace onecast
