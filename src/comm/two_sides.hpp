#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/buffer.hpp"
#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// What two ranks have to say about something that is not the same on all.
struct TwoSides {
  Buffer first;  ///< of rank 0
  int rank = 0;  ///< the lowest that differs from it; 0: none does
  Buffer other;  ///< of that one
};

/// For errors, where ranks differ in `number`: what rank 0 and the lowest other rank say, the same
/// on all. `say` is called on these two. @collective
TwoSides two_sides(CommunicatorBackend& comm, std::uint64_t number,
                   const std::function<std::vector<std::byte>()>& say);

}  // namespace onecast::comm
