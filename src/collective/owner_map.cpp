#include "collective/owner_map.hpp"

#include <algorithm>
#include <map>

namespace onecast {
namespace {

/// Where a file system does not say on how many targets a file lies.
std::size_t assumed_targets(std::size_t ranks, std::size_t nodes) {
  constexpr std::size_t kFew = 4;
  return std::max(nodes, std::min(ranks, kFew));
}

/// `count` of `all`, spread evenly.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t count) {
  std::vector<T> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

}  // namespace

OwnerMap::OwnerMap(const StripeLayout& layout, const std::vector<int>& nodes,
                   const OwnerOptions& options)
    : stripe_size_(layout.stripe_size) {
  std::vector<std::vector<int>> ranks_of;
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const auto node = static_cast<std::size_t>(nodes[r]);
    if (node >= ranks_of.size()) ranks_of.resize(node + 1);
    ranks_of[node].push_back(static_cast<int>(r));
  }
  const std::size_t limit =
      options.most_aggregators == 0 ? nodes.size() : std::size_t{options.most_aggregators};
  const std::size_t targets = layout.stripe_count != 0
                                  ? layout.stripe_count
                                  : assumed_targets(nodes.size(), ranks_of.size());
  const std::size_t writers = std::max<std::size_t>(1, options.writers_per_target);

  // Target t belongs to node t mod `used.size()`, there to one process after the other.
  auto used = spread(ranks_of, std::min({ranks_of.size(), targets, limit}));
  for (std::size_t n = 0; n < used.size(); ++n) {
    const std::size_t share = limit / used.size() + (n < limit % used.size() ? 1 : 0);
    const std::size_t slots_here = (targets - n - 1) / used.size() * writers + writers;
    used[n] = spread(used[n], std::min({used[n].size(), share, slots_here}));
  }

  std::vector<int> rank_of_slot;
  for (std::size_t s = 0; s < targets * writers; ++s) {
    const std::size_t target = s % targets;
    const auto& processes = used[target % used.size()];
    const std::size_t turn = target / used.size() * writers + s / targets;
    rank_of_slot.push_back(processes[turn % processes.size()]);
  }
  std::map<int, std::size_t> aggregator_of;
  for (const int rank : rank_of_slot) aggregator_of.emplace(rank, 0);
  for (auto& [rank, aggregator] : aggregator_of) {
    aggregator = ranks_.size();
    ranks_.push_back(rank);
  }
  slots_of_.resize(ranks_.size());
  for (std::size_t s = 0; s < rank_of_slot.size(); ++s) {
    const std::size_t aggregator = aggregator_of.at(rank_of_slot[s]);
    places_.push_back({aggregator, slots_of_[aggregator].size()});
    slots_of_[aggregator].push_back(s);
  }
}

int OwnerMap::aggregator_of_rank(int rank) const {
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  return found != ranks_.end() && *found == rank ? static_cast<int>(found - ranks_.begin()) : -1;
}

}  // namespace onecast
