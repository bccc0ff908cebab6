#pragma once

#include <cstddef>
#include <span>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// Memory that several ranks of a node share; each contributed a part. Other ranks see what one
/// wrote after it calls sync, all pass a barrier, and they call sync.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  virtual ~SharedMemory() = default;

  /// The part of this rank of the node.
  [[nodiscard]] virtual std::span<std::byte> of(int rank) const = 0;
  virtual void sync() = 0;
};

}  // namespace onecast::comm
