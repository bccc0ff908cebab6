#pragma once

#include <cstdint>

namespace onecast {

/// What one process did to the file system and the network on behalf of one file since it was
/// opened. Exact counts, failed calls included; a call for no bytes does not count.
struct IoStats {
  std::uint64_t opens = 0;          ///< times the file was opened
  std::uint64_t reads = 0;          ///< reads asked of the transport: one pread each, up to 1 GiB
  std::uint64_t bytes_read = 0;     ///< bytes
  std::uint64_t writes = 0;         ///< writes, likewise
  std::uint64_t bytes_written = 0;  ///< bytes
  std::uint64_t syncs = 0;          ///< waits for stable storage (fsync)
  std::uint64_t collectives = 0;  ///< collective MPI calls (a segmented broadcast: one per segment)

  bool operator==(const IoStats&) const = default;
};

}  // namespace onecast
