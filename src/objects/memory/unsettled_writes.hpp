#pragma once

#include "base/namespaces.hpp"

namespace onecast::memory {

/// The kinds of independent writes that wait until they are settled: at the next flush, or when all
/// ranks read the dataset.
struct UnsettledWrites {
  bool compact = false;  ///< writes to data that lies in replicated metadata
  bool chunks = false;   ///< chunks without a place
  bool values = false;   ///< elements with values of variable length, or of data without a place

  [[nodiscard]] bool any() const { return compact || chunks || values; }
};

}  // namespace onecast::memory
