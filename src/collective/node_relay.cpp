#include "collective/node_relay.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace onecast::collective {

NodeRelay::NodeRelay(CommunicatorBackend& comm) : rank_(comm.rank()), node_(comm.node()) {
  std::map<int, std::pair<int, int>> seen;  // node -> its lowest rank, and the number of its ranks
                                            // so far
  const std::vector<int>& nodes = comm.nodes();
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    auto& [leader, count] = seen.emplace(nodes[r], std::pair(static_cast<int>(r), 0)).first->second;
    leaders_.push_back(leader);
    members_.push_back(count++);
  }
}

std::vector<NodeLeg> NodeRelay::legs(const ExchangePlan& plan, const OwnerMap& owners) {
  std::vector<NodeLeg> mine;
  std::uint64_t position = 0;
  for (const Leg& leg : plan.as_rank) {
    if (owners.rank_of(leg.peer) == rank_) continue;
    if (mine.empty() || mine.back().round != leg.round) position = 0;
    mine.push_back({leg.round, leg.peer, me(), leg.bytes, position});
    position += leg.bytes;
  }
  std::vector<NodeLeg> all;
  for (const auto& bytes : node_->all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(NodeLeg));
    if (!bytes.empty()) std::memcpy(&all[before], bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void NodeRelay::reserve(std::span<const NodeLeg> legs) {
  std::uint64_t half = 0;
  for (const NodeLeg& leg : legs) half = std::max(half, leg.position + leg.bytes);
  // All ranks of the node have equal legs, so all of them return here, or none.
  if (memory_ && half <= memory_->of(me()).size() / 2) return;
  memory_.reset();
  memory_ = node_->share_memory(static_cast<std::size_t>(half) * 2);
}

}  // namespace onecast::collective
