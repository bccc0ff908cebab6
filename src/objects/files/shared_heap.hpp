#pragma once

#include "base/namespaces.hpp"

namespace onecast::files {

/// The values that all ranks put into the global heap alike, as the file keeps them.
class SharedHeap {
 public:
  SharedHeap() = default;
  SharedHeap(const SharedHeap&) = delete;
  SharedHeap& operator=(const SharedHeap&) = delete;
  virtual ~SharedHeap() = default;

  /// Writes what is new. An error of the rank that writes is thrown by the next flush.
  virtual void finish() = 0;
};

}  // namespace onecast::files
