#pragma once

#include <cstdint>

#include "base/namespaces.hpp"
#include "comm/node/node_memory.hpp"
#include "objects/independent/merge_local_edits.hpp"
#include "objects/memory/unsettled_writes.hpp"

namespace onecast::flush {

/// The numbers that each rank sends at the start of a flush. All ranks receive the maximum of each.
struct FlushNews {
  std::uint64_t compact = 0;  ///< 1: the rank wrote to compact data; the next two likewise
  std::uint64_t chunks = 0;
  std::uint64_t values = 0;       ///< 1: it wrote values of variable length
  std::uint64_t loss = 0;         ///< a Loss
  std::uint64_t written_end = 0;  ///< the end of written raw data; 0: wrote none
  std::uint64_t part_size = 0;    ///< the bytes of its packed local edits
  std::uint64_t part_size_complement = ~std::uint64_t{0};  ///< its maximum gives the smallest size
  std::uint64_t part_compact = 0;  ///< the bytes of compact data in that part
  std::uint64_t untold = 0;        ///< 1: an error that others do not know
  std::uint64_t goes_on = 0;       ///< 1: calls may follow on the communicator after this file
  std::uint64_t lacks_room = 0;    ///< 1: a call found the disk full
  std::uint64_t dropped = 0;       ///< 1: values of variable length were overwritten
  std::uint64_t time = 0;          ///< seconds since 1970-01-01 UTC
  // Set by rank 0, if it offers memory for the pages (NodeOffer):
  std::uint64_t memory_number = 0;
  std::uint64_t memory_process = 0;
  std::uint64_t memory_descriptor = 0;  ///< plus 1
  NodeHints nodes;

  void offer(const NodeOffer& memory) {
    memory_number = memory.number;
    memory_process = static_cast<std::uint64_t>(memory.process);
    memory_descriptor = static_cast<std::uint64_t>(memory.descriptor + 1);
  }
  [[nodiscard]] NodeOffer memory() const {
    return {memory_number, static_cast<std::int32_t>(memory_process),
            static_cast<std::int32_t>(memory_descriptor) - 1, 0};
  }
  [[nodiscard]] LargestPart parts() const {
    return {part_size, ~part_size_complement, part_compact};
  }
  [[nodiscard]] UnsettledWrites unsettled() const {
    return {compact != 0, chunks != 0, values != 0};
  }
  [[nodiscard]] bool wrote_raw_data() const {
    return written_end != 0 || chunks != 0 || values != 0;
  }
};

}  // namespace onecast::flush
