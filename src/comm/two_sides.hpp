#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// The data of two ranks that differ.
struct TwoSides {
  Buffer first;  ///< from rank 0
  int rank = 0;  ///< the lowest rank that differs from rank 0; 0: none does
  Buffer other;  ///< from that rank
};

/// Collects, for the error when ranks differ in `number`, the data of rank 0 and of the lowest rank
/// that differs from it, equal on all ranks. `say` is called on these two. @collective
TwoSides two_sides(CommunicatorBackend& comm, std::uint64_t number,
                   const std::function<std::vector<std::byte>()>& say);

}  // namespace onecast::comm
