#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/namespaces.hpp"
#include "collective/exchange_plan.hpp"
#include "collective/owner_map.hpp"
#include "comm/backend.hpp"

namespace onecast::collective {

/// The ranks of a node, which put what they send into memory they share; the lowest of them, the
/// leader, sends for all, and aggregators among them take theirs from there.
class NodeRelay {
 public:
  /// @collective
  explicit NodeRelay(CommunicatorBackend& comm);

  [[nodiscard]] int leader_of(int rank) const { return leaders_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_leader() const { return node_->rank() == 0; }
  /// This rank's number on its node, and that of another rank of it.
  [[nodiscard]] int me() const { return node_->rank(); }
  [[nodiscard]] int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }

  /// What all ranks of the node send, by round, aggregator, member; what a rank has for itself is
  /// left out. @collective on the node
  std::vector<NodeLeg> legs(const ExchangePlan& plan, const OwnerMap& owners);

  /// Makes room for the rounds of a plan. @collective on the node
  void reserve(std::span<const NodeLeg> legs);

  /// A member's half for a round.
  [[nodiscard]] std::span<std::byte> half(int member, std::size_t which) const {
    const auto all = memory_->of(member);
    return all.subspan(which * (all.size() / 2), all.size() / 2);
  }
  /// What the others wrote before it, this rank sees behind it.
  void barrier() {
    memory_->sync();
    node_->barrier();
    memory_->sync();
  }

  /// Of this rank.
  [[nodiscard]] std::uint64_t bytes() const { return memory_ ? memory_->of(me()).size() : 0; }

 private:
  int rank_;
  CommunicatorBackend* node_;
  std::vector<int> leaders_;  ///< by rank
  std::vector<int> members_;  ///< by rank: its number on its node
  std::unique_ptr<SharedMemory> memory_;
};

}  // namespace onecast::collective
