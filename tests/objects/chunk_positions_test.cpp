#include "objects/together/chunk_positions.hpp"

#include <gtest/gtest.h>

#include "support/thread_ranks.hpp"

namespace onecast::test {

using namespace together;
namespace {

/// Returns the chunks number `first` to `last`, of 100 bytes each, one behind the other.
WantedChunks some(std::uint64_t first, std::uint64_t last) {
  WantedChunks chunks;
  for (std::uint64_t number = first; number <= last; ++number)
    chunks.add(5000 + 100 * number, 100, number);
  return chunks;
}
WantedChunks both(WantedChunks one, const WantedChunks& other) {
  one.add(other);
  return one;
}

TEST(WantedChunks, AreSharedWhereMoreAreWantedThanThereAre) {
  EXPECT_FALSE(WantedChunks().are_shared());
  EXPECT_FALSE(some(3, 9).are_shared());
  EXPECT_FALSE(both(some(3, 9), some(10, 12)).are_shared());
  EXPECT_FALSE(both(some(3, 9), WantedChunks()).are_shared());
  EXPECT_TRUE(both(some(3, 9), some(9, 12)).are_shared());
}

TEST(WantedChunks, TheirPlacesOrTheirNumbersTell) {
  WantedChunks apart = both(some(3, 9), some(9, 12));
  apart.add(1'000'000, 100, 7);
  EXPECT_TRUE(apart.are_shared()) << "one lies far away, but the numbers are dense";
  WantedChunks sparse;  // every tenth number, contiguous in the file
  for (std::uint64_t i = 0; i < 20; ++i) sparse.add(100 * (i % 10), 100, 10 * (i % 10));
  EXPECT_TRUE(sparse.are_shared());
}

TEST(WantedChunks, OfAllRanks) {
  run_ranks(3, 2, [](CommunicatorBackend& ranks) {
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    std::vector<WantedChunks> wanted(2);
    wanted[0] = some(10 * rank, 10 * rank + 10);
    if (rank == 1) wanted[1] = some(7, 7);
    combine(ranks, wanted);
    ASSERT_EQ(wanted.size(), 2U);
    EXPECT_EQ(wanted[0].first, 0U);
    EXPECT_EQ(wanted[0].last, 30U);
    EXPECT_EQ(wanted[0].count, 33U);
    EXPECT_EQ(wanted[0].bytes, 3300U);
    EXPECT_EQ(wanted[0].low, 5000U);
    EXPECT_EQ(wanted[0].high, 8100U);
    EXPECT_EQ(wanted[0].largest, 100U);
    EXPECT_TRUE(wanted[0].are_shared());
    EXPECT_EQ(wanted[1].count, 1U);
    std::vector<WantedChunks> none;
    combine(ranks, none);
    EXPECT_TRUE(none.empty());
  });
}

TEST(ChunkPositions, SharedDatasetsOneBehindTheOther) {
  EXPECT_TRUE(ChunkPositions().empty());
  const WantedChunks wanted[] = {both(some(3, 9), some(9, 12)), some(0, 5), WantedChunks(),
                                 both(some(2, 2), some(2, 2))};
  const ChunkPositions positions(wanted);
  EXPECT_TRUE(positions.has(0));
  EXPECT_FALSE(positions.has(1));
  EXPECT_FALSE(positions.has(2));
  EXPECT_TRUE(positions.has(3));
  EXPECT_FALSE(positions.has(4));
  EXPECT_EQ(positions.of(0, 3), 0U);
  EXPECT_EQ(positions.of(0, 12), 900U);
  EXPECT_EQ(positions.of(3, 2), 1000U);
  EXPECT_EQ(positions.end(), 1100U);
}

TEST(ChunkPositions, WhatCannotBeIsNotShared) {
  WantedChunks huge;
  for (int twice = 0; twice < 2; ++twice) huge.add(0, std::uint64_t{1} << 40U, 0);
  EXPECT_FALSE(ChunkPositions({&huge, 1}).empty());
  huge.add(0, std::uint64_t{1} << 40U, ~std::uint64_t{0} - 1);
  EXPECT_TRUE(ChunkPositions({&huge, 1}).empty());
}

}  // namespace
}  // namespace onecast::test
