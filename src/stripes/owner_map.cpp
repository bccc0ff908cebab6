#include "stripes/owner_map.hpp"

#include <algorithm>
#include <numeric>

namespace onecast::stripes {
namespace {

/// The number of targets, if a file system does not tell it.
std::size_t assumed_targets(std::size_t ranks, std::size_t nodes) {
  constexpr std::size_t kFew = 4;
  return std::max(nodes, std::min(ranks, kFew));
}

/// Chooses `count` elements of `all`, spread evenly.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t count) {
  std::vector<T> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

using RanksOfNodes = std::vector<std::vector<int>>;

/// The rank of each slot.
std::vector<int> ranks_of_slots(std::uint32_t stripe_count, std::size_t ranks,
                                const RanksOfNodes& ranks_of, const OwnerOptions& options) {
  const std::size_t limit =
      options.most_aggregators == 0 ? ranks : std::size_t{options.most_aggregators};
  const std::size_t targets =
      stripe_count != 0 ? stripe_count : assumed_targets(ranks, ranks_of.size());
  const std::size_t writers = std::max<std::size_t>(1, options.writers_per_target);

  // Target t belongs to node t mod `used.size()`, whose processes take turns.
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
  return rank_of_slot;
}

/// The largest size that divides all stripes and fronts; 0: it is too small.
std::uint64_t common_stripe(const StripeLayout& layout) {
  constexpr std::uint64_t kLeast = 4096;
  std::uint64_t common = layout.stripe_size;
  for (const StripeLayout::Front& front : layout.fronts)
    if (front.end != 0) common = std::gcd(common, std::gcd(front.stripe_size, front.end));
  return common == layout.stripe_size || common >= kLeast ? common : 0;
}

}  // namespace

OwnerMap::OwnerMap(const StripeLayout& layout, const std::vector<int>& nodes,
                   const OwnerOptions& options)
    : stripe_size_(layout.stripe_size) {
  RanksOfNodes ranks_of;
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const auto node = static_cast<std::size_t>(nodes[r]);
    if (node >= ranks_of.size()) ranks_of.resize(node + 1);
    ranks_of[node].push_back(static_cast<int>(r));
  }
  std::vector<std::vector<int>> ranks_of_parts;
  std::uint64_t first = 0;
  const auto add = [&](std::uint64_t size, std::uint32_t count) {
    Part& part = parts_.emplace_back();
    part.first = first;
    part.width = size / stripe_size_;
    ranks_of_parts.push_back(ranks_of_slots(count, nodes.size(), ranks_of, options));
  };
  if (const std::uint64_t common = common_stripe(layout); common != 0) {
    stripe_size_ = common;
    for (const StripeLayout::Front& front : layout.fronts) {
      if (front.end <= first * stripe_size_ || front.stripe_size == 0) continue;
      add(front.stripe_size, front.stripe_count);
      first = front.end / stripe_size_;
    }
  }
  add(layout.stripe_size, layout.stripe_count);

  for (const std::vector<int>& ranks : ranks_of_parts)
    ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  std::sort(ranks_.begin(), ranks_.end());
  ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
  std::vector<std::uint64_t> start(ranks_.size(), 0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    share_out(part, ranks_of_parts[p]);
    part.start = start;
    for (std::size_t a = 0; a < ranks_.size(); ++a) {
      part.shift.push_back(start[a] - part.owned_before(part.first, a));
      if (p + 1 < parts_.size())
        start[a] = part.shift[a] + part.owned_before(parts_[p + 1].first, a);
    }
  }
}

void OwnerMap::share_out(Part& part, const std::vector<int>& ranks) const {
  part.slots_of.resize(ranks_.size());
  for (std::size_t s = 0; s < ranks.size(); ++s) {
    const auto aggregator = static_cast<std::size_t>(aggregator_of_rank(ranks[s]));
    part.places.push_back({aggregator, part.slots_of[aggregator].size()});
    part.slots_of[aggregator].push_back(s);
  }
}

std::uint64_t OwnerMap::Part::owned_before(std::uint64_t stripe, std::size_t aggregator) const {
  const auto& mine = slots_of[aggregator];
  const std::uint64_t wide = stripe / width;
  const std::uint64_t slot = wide % places.size();
  const auto next = std::lower_bound(mine.begin(), mine.end(), slot);
  std::uint64_t owned =
      wide / places.size() * mine.size() + static_cast<std::uint64_t>(next - mine.begin());
  owned *= width;
  return next != mine.end() && *next == slot ? owned + stripe % width : owned;
}

int OwnerMap::aggregator_of_rank(int rank) const {
  const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
  return found != ranks_.end() && *found == rank ? static_cast<int>(found - ranks_.begin()) : -1;
}

}  // namespace onecast::stripes
