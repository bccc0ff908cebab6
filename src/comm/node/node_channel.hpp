#pragma once

#include <algorithm>
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
class NodeChannel {
 public:
  /// True if data of `bytes` for so many ranks is worth the making of a channel of at most `most`
  /// bytes.
  static bool is_worth_making(std::uint64_t ranks, std::uint64_t bytes, std::uint64_t most);
  /// Returns null, on all ranks, if the ranks of some node cannot share memory, or if no node has
  /// several ranks. @collective
  static std::unique_ptr<NodeChannel> make(CommunicatorBackend& comm, std::size_t size);

  /// Returns the size of a channel for data of `bytes`: two parts of it.
  static std::uint64_t size_for(std::uint64_t bytes, std::uint64_t most) {
    return std::min(2 * std::min<std::uint64_t>(bytes, kMostPart), most);
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// True if so many bytes go through the channel; fewer are broadcast.
  static bool takes(std::uint64_t bytes);
  /// A number, and whether rank 0 failed, which is not 0 then.
  using Status = std::array<std::uint64_t, 2>;
  /// Brings the status of rank 0 to all ranks and, unless rank 0 failed, its `target`, which has
  /// one size on all ranks. One reduction for each part, which has at most half of the memory: rank
  /// 0 writes a part while the other ranks copy the part before it. Waiting ranks leave their cores
  /// to others. @collective
  void share_into(std::span<std::byte> target, Status& status);

 private:
  NodeChannel(CommunicatorBackend& comm, std::size_t size) : comm_(comm), size_(size) {}
  /// Larger parts would take longer to make than they save.
  static constexpr std::uint64_t kMostPart = std::uint64_t{4} << 20U;

  CommunicatorBackend& comm_;
  std::size_t size_;
  NodeMemory memory_;
  bool uses_second_half_ = false;  ///< of the last part; equal on all ranks
};

/// Brings `bytes` of rank 0 to all ranks, through the channel if there is one. @collective
void broadcast_large(CommunicatorBackend& comm, std::span<std::byte> bytes);

}  // namespace onecast::comm
