#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// Stored chunks of one dataset that are wanted, by one rank or by all together.
struct WantedChunks {
  std::uint64_t low = ~std::uint64_t{0};    ///< offset in the file of the first byte
  std::uint64_t high = 0;                   ///< end of the last
  std::uint64_t bytes = 0;                  ///< of all ranks together, as they are stored
  std::uint64_t first = ~std::uint64_t{0};  ///< the least of their numbers in the dataset
  std::uint64_t last = 0;                   ///< the largest
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
  /// Is it certain that some are wanted more than once: are more wanted than there can be?
  [[nodiscard]] bool are_shared() const {
    return count != 0 && (bytes > high - low || count - 1 > last - first);
  }
};

/// `chunks`, of one rank, of as many datasets as on all ranks, become those of all; one message.
/// @collective
void combine(CommunicatorBackend& comm, std::vector<WantedChunks>& chunks);

}  // namespace onecast::collective
