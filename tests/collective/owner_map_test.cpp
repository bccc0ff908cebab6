#include "collective/owner_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace onecast {
namespace {

std::vector<int> nodes_of(int nodes, int ranks_per_node) {
  std::vector<int> result;
  for (int r = 0; r < nodes * ranks_per_node; ++r) result.push_back(r / ranks_per_node);
  return result;
}

StripeLayout stripes(std::uint32_t count) { return {64, count, StripeLayout::Source::option}; }

/// What must hold of every map.
void check(const OwnerMap& owners, std::uint32_t targets, const std::vector<int>& nodes) {
  EXPECT_EQ(owners.slots() % targets, 0U);
  std::map<std::uint64_t, std::set<int>> nodes_of_target;
  std::set<std::size_t> used;
  for (std::uint64_t stripe = 0; stripe < 3 * owners.slots(); ++stripe) {
    EXPECT_EQ(owners.owner(stripe), owners.owner(stripe + owners.slots()));
    const int rank = owners.rank_of(owners.owner(stripe));
    nodes_of_target[stripe % targets].insert(nodes[static_cast<std::size_t>(rank)]);
    used.insert(owners.owner(stripe));
  }
  EXPECT_EQ(used.size(), owners.aggregators());
  for (const auto& [target, writers] : nodes_of_target) EXPECT_EQ(writers.size(), 1U) << target;

  // A domain is its stripes, one behind the other.
  std::vector<std::uint64_t> next(owners.aggregators(), 0);
  for (std::uint64_t offset = 0; offset < 3 * owners.slots() * owners.stripe_size();
       offset += owners.stripe_size() / 2) {
    const auto [aggregator, position] = owners.place(offset);
    EXPECT_EQ(position, next[aggregator]);
    next[aggregator] += owners.stripe_size() / 2;
    EXPECT_EQ(owners.offset(aggregator, position), offset);
  }
}

TEST(OwnerMap, EveryTargetIsWrittenFromOneNode) {
  for (const std::uint32_t targets : {1U, 2U, 3U, 5U, 7U, 13U})
    for (int nodes = 1; nodes <= 8; ++nodes)
      for (const int ranks : {1, 2, 3, 8})
        for (const std::uint32_t limit : {0U, 1U, 3U, 4U})
          for (const std::uint32_t writers : {1U, 2U}) {
            SCOPED_TRACE(testing::Message() << targets << " targets, " << nodes << " nodes, "
                                            << ranks << " ranks, limit " << limit);
            const auto nodes_by_rank = nodes_of(nodes, ranks);
            const OwnerMap owners(stripes(targets), nodes_by_rank, {limit, writers});
            check(owners, targets, nodes_by_rank);
            if (limit != 0) {
              EXPECT_LE(owners.aggregators(), limit);
            }
            if (writers == 1) {
              const std::size_t most = std::min<std::size_t>(targets, nodes_by_rank.size());
              EXPECT_EQ(owners.slots(), targets);
              EXPECT_LE(owners.aggregators(), most);
              if (limit == 0) {
                EXPECT_GE(owners.aggregators(),
                          std::min<std::size_t>(targets, static_cast<std::size_t>(nodes)));
              }
            }
          }
}

TEST(OwnerMap, PrimeCountsAreSharedOut) {
  const OwnerMap owners(stripes(13), nodes_of(4, 1));
  EXPECT_EQ(owners.aggregators(), 4U);
  std::vector<int> stripes_of(4, 0);
  for (std::uint64_t stripe = 0; stripe < 13; ++stripe) ++stripes_of[owners.owner(stripe)];
  for (const int count : stripes_of) EXPECT_TRUE(count == 3 || count == 4);
}

TEST(OwnerMap, SeveralWritersOfATargetAreOnItsNode) {
  const OwnerMap owners(stripes(2), nodes_of(2, 4), {0, 3});
  EXPECT_EQ(owners.slots(), 6U);
  EXPECT_EQ(owners.aggregators(), 6U);
}

TEST(OwnerMap, UnknownTargetsStillUseSeveralRanks) {
  EXPECT_EQ(OwnerMap(stripes(0), nodes_of(1, 1)).aggregators(), 1U);
  EXPECT_EQ(OwnerMap(stripes(0), nodes_of(1, 3)).aggregators(), 3U);
  EXPECT_EQ(OwnerMap(stripes(0), nodes_of(1, 64)).aggregators(), 4U);
  EXPECT_EQ(OwnerMap(stripes(0), nodes_of(16, 8)).aggregators(), 16U);
}

TEST(OwnerMap, RanksFindTheirAggregator) {
  const OwnerMap owners(stripes(3), nodes_of(5, 2));
  int found = 0;
  for (int rank = 0; rank < 10; ++rank) {
    const int aggregator = owners.aggregator_of_rank(rank);
    if (aggregator < 0) continue;
    ++found;
    EXPECT_EQ(owners.rank_of(static_cast<std::size_t>(aggregator)), rank);
  }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace onecast
