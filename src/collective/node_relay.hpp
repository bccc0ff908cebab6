#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/exchange_plan.hpp"
#include "comm/backend.hpp"
#include "stripes/owner_map.hpp"

namespace onecast::collective {

/// The ranks of a node, which put what they send into shared memory. The lowest of them, the
/// leader, sends for all; aggregators on the node take their bytes directly from the shared memory.
class NodeRelay {
 public:
  /// @collective
  explicit NodeRelay(CommunicatorBackend& comm);

  [[nodiscard]] int leader_of(int rank) const { return leaders_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_leader() const { return node_->rank() == 0; }
  /// This rank's number on its node; member() returns that of another rank of the node.
  [[nodiscard]] int me() const { return node_->rank(); }
  [[nodiscard]] int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }

  /// The bytes that all ranks of the node send, by round, aggregator and member, without what a
  /// rank sends to itself. @collective on the node
  std::vector<NodeLeg> legs(const ExchangePlan& plan, const OwnerMap& owners);

  /// Makes room for the rounds of a plan. @collective on the node
  void reserve(std::span<const NodeLeg> legs);

  /// One half of a member's memory, for one round.
  [[nodiscard]] std::span<std::byte> half(int member, std::size_t which) const {
    const auto all = memory_->of(member);
    return all.subspan(which * (all.size() / 2), all.size() / 2);
  }
  /// Makes what other ranks of the node wrote before the barrier visible after it.
  void barrier() {
    memory_->sync();
    node_->barrier();
    memory_->sync();
  }

  /// The bytes of this rank's memory.
  [[nodiscard]] std::uint64_t bytes() const { return memory_ ? memory_->of(me()).size() : 0; }

 private:
  int rank_;
  CommunicatorBackend* node_;
  std::vector<int> leaders_;  ///< by rank
  std::vector<int> members_;  ///< by rank: its number on its node
  std::unique_ptr<SharedMemory> memory_;
};

}  // namespace onecast::collective
