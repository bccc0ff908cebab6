#include "stripes/owner_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace onecast::stripes {
namespace {

std::vector<int> nodes_of(int nodes, int ranks_per_node) {
  std::vector<int> result;
  for (int r = 0; r < nodes * ranks_per_node; ++r) result.push_back(r / ranks_per_node);
  return result;
}

StripeLayout stripes(std::uint32_t count) { return {64, count, StripeLayout::Source::option}; }

/// Checks the properties that every map must have.
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

  // A domain consists of its stripes, one behind the other.
  std::vector<std::uint64_t> next(owners.aggregators(), 0);
  for (std::uint64_t offset = 0; offset < 3 * owners.slots() * owners.stripe_size();
       offset += owners.stripe_size() / 2) {
    const auto [aggregator, position] = owners.position(offset);
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

/// The stretches of a layout: [begin, end), stripe size and stripe count.
struct Stretch {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t size;
  std::uint32_t count;
};

TEST(OwnerMap, FrontsHaveTargetsOfTheirOwn) {
  constexpr std::uint64_t kKiB = 1024;
  constexpr std::uint64_t kAll = 2048 * kKiB;
  for (const std::uint64_t last : {64 * kKiB, 192 * kKiB, 32 * kKiB})
    for (int nodes = 1; nodes <= 5; ++nodes) {
      const Stretch stretches[] = {{0, 64 * kKiB, 64 * kKiB, 1},
                                   {64 * kKiB, 640 * kKiB, 32 * kKiB, 2},
                                   {640 * kKiB, kAll, last, 5}};
      StripeLayout layout{last, 5, StripeLayout::Source::lustre};
      layout.fronts[0] = {stretches[0].end, stretches[0].size, stretches[0].count};
      layout.fronts[1] = {stretches[1].end, stretches[1].size, stretches[1].count};
      const auto nodes_by_rank = nodes_of(nodes, 2);
      const OwnerMap owners(layout, nodes_by_rank);
      const std::uint64_t step = owners.stripe_size() / 2;
      EXPECT_EQ(step, 16 * kKiB);
      for (const Stretch& stretch : stretches) {
        std::map<std::uint64_t, std::set<int>> nodes_of_target;
        for (std::uint64_t offset = stretch.begin; offset < stretch.end; offset += step) {
          const int rank = owners.rank_of(owners.owner(offset / owners.stripe_size()));
          nodes_of_target[offset / stretch.size % stretch.count].insert(
              nodes_by_rank[static_cast<std::size_t>(rank)]);
        }
        for (const auto& [target, writers] : nodes_of_target) EXPECT_EQ(writers.size(), 1U);
      }
      std::vector<std::uint64_t> next(owners.aggregators(), 0);
      for (std::uint64_t offset = 0; offset < kAll; offset += step) {
        const auto [aggregator, position] = owners.position(offset);
        EXPECT_EQ(position, next[aggregator]) << offset;
        next[aggregator] += step;
        EXPECT_EQ(owners.offset(aggregator, position), offset);
      }
    }
}

TEST(OwnerMap, FrontsOfOddSizesAreLeftAlone) {
  StripeLayout layout{1 << 20U, 3, StripeLayout::Source::lustre};
  layout.fronts[0] = {1000, 500, 1};
  EXPECT_EQ(OwnerMap(layout, nodes_of(3, 1)).stripe_size(), 1U << 20U);
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
}  // namespace onecast::stripes
