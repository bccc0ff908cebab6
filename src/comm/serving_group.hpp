#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// Ranks that read the same together while others read something else.
class ServingGroup {
 public:
  /// The ranks that have the same number as this one; null if no two have. The group is kept:
  /// programs tend to ask in the same way again. @collective
  CommunicatorBackend* join(CommunicatorBackend& comm, std::uint64_t number);

 private:
  std::vector<int> group_of_rank_;
  std::unique_ptr<CommunicatorBackend> ranks_;
};

}  // namespace onecast::comm
