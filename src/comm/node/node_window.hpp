#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/namespaces.hpp"
#include "comm/backend.hpp"
#include "comm/node/node_memory.hpp"

namespace onecast::comm {

/// Memory of each node through which bytes of rank 0 reach all ranks: one rank of the node writes
/// them there, and the others copy them.
class NodeWindow {
 public:
  /// True if data of `bytes` for so many ranks is worth the making of a window of at most `most`
  /// bytes.
  static bool is_worth_making(std::uint64_t ranks, std::uint64_t bytes, std::uint64_t most);
  /// Returns null, on all ranks, if the ranks of some node cannot share memory, or if no node has
  /// several ranks. @collective
  static std::unique_ptr<NodeWindow> make(CommunicatorBackend& comm, std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Must be called when all ranks have made a collective call since the last share_into(), and so
  /// have copied its bytes.
  void restart() { used_ = 0; }

  /// True if so many bytes go through the window; fewer are broadcast.
  static bool takes(std::uint64_t bytes);
  /// A number, and whether rank 0 failed, which is not 0 then.
  using Status = std::array<std::uint64_t, 2>;
  /// Brings the status of rank 0 to all ranks and, unless rank 0 failed, its `target`, which has
  /// one size on all ranks. One reduction for each part that fits into the memory, and a barrier
  /// before the memory is used again. Waiting ranks leave their cores to others. @collective
  void share_into(std::span<std::byte> target, Status& status);

 private:
  NodeWindow(CommunicatorBackend& comm, std::size_t size) : comm_(comm), size_(size) {}
  std::size_t place(std::size_t size);

  CommunicatorBackend& comm_;
  std::size_t size_;
  NodeMemory memory_;
  std::size_t used_ = 0;  ///< the bytes that other ranks may still copy; equal on all ranks
};

/// Brings `bytes` of rank 0 to all ranks, through the window if there is one. @collective
void broadcast_large(CommunicatorBackend& comm, std::span<std::byte> bytes);

}  // namespace onecast::comm
