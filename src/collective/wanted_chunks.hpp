#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// The stored chunks of one dataset that one rank, or all ranks together, want.
struct WantedChunks {
  std::uint64_t low = ~std::uint64_t{0};    ///< offset in the file of the first byte
  std::uint64_t high = 0;                   ///< end of the last byte
  std::uint64_t bytes = 0;                  ///< of all ranks together, in their stored form
  std::uint64_t first = ~std::uint64_t{0};  ///< the lowest chunk number in the dataset
  std::uint64_t last = 0;                   ///< the highest chunk number
  std::uint64_t count = 0;                  ///< of all ranks together
  std::uint64_t largest = 0;                ///< bytes of the largest one

  void add(std::uint64_t offset, std::uint64_t size, std::uint64_t number) {
    add({offset, offset + size, size, number, number, 1, size});
  }
  void add(const WantedChunks& others) {
    low = std::min(low, others.low);
    high = std::max(high, others.high);
    bytes += others.bytes;
    first = std::min(first, others.first);
    last = std::max(last, others.last);
    count += others.count;
    largest = std::max(largest, others.largest);
  }
  /// True if some chunks are certainly wanted more than once: more are wanted than there can be.
  [[nodiscard]] bool are_shared() const {
    return count != 0 && (bytes > high - low || count - 1 > last - first);
  }
};

/// Turns the chunks that one rank wants into those that all ranks want. The list has one entry per
/// dataset, as many on all ranks; one message. @collective
void combine(CommunicatorBackend& comm, std::vector<WantedChunks>& chunks);

}  // namespace onecast::collective
