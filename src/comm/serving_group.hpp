#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"

namespace onecast::comm {

/// Ranks that read equal parts together while other ranks read other parts.
class ServingGroup {
 public:
  /// The ranks with the same number as this one; null if there are no others. The group is kept,
  /// since programs tend to repeat their pattern. @collective
  CommunicatorBackend* join(CommunicatorBackend& comm, std::uint64_t number);

 private:
  std::vector<int> group_of_rank_;
  std::unique_ptr<CommunicatorBackend> ranks_;
};

}  // namespace onecast::comm
