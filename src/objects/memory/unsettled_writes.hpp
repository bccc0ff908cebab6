#pragma once

#include "base/namespaces.hpp"

namespace onecast::memory {

/// Kinds of independent writes that wait until the ranks come together: at the next flush, or when
/// all read the dataset.
struct UnsettledWrites {
  bool compact = false;  ///< to data that lies in replicated metadata
  bool chunks = false;   ///< chunks without a place
  bool values = false;   ///< elements with values of variable length, or of data without a place

  [[nodiscard]] bool any() const { return compact || chunks || values; }
};

}  // namespace onecast::memory
