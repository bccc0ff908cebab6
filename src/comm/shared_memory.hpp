#pragma once

#include <cstddef>
#include <span>

#include "base/namespaces.hpp"

namespace onecast::comm {

/// Memory that several ranks of a node see; each brought a part. What one wrote, the others see
/// after sync here, a barrier, and sync there.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  virtual ~SharedMemory() = default;

  /// The part of a rank of the node.
  [[nodiscard]] virtual std::span<std::byte> of(int rank) const = 0;
  virtual void sync() = 0;
};

}  // namespace onecast::comm
