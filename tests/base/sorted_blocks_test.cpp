#include "base/sorted_blocks.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace onecast {
namespace {

void expect_equal(const SortedBlocks<int>& blocks, const std::set<int>& expected) {
  ASSERT_EQ(blocks.size(), expected.size());
  ASSERT_EQ(blocks.empty(), expected.empty());
  ASSERT_EQ(std::vector<int>(blocks.begin(), blocks.end()),
            std::vector<int>(expected.begin(), expected.end()));
  std::vector<int> backwards;
  for (auto at = blocks.end(); at != blocks.begin();) backwards.push_back(*--at);
  ASSERT_EQ(backwards, std::vector<int>(expected.rbegin(), expected.rend()));
}

void expect_bounds(const SortedBlocks<int>& blocks, const std::set<int>& expected, int value) {
  const auto found = blocks.lower_bound(value);
  const auto wanted = expected.lower_bound(value);
  ASSERT_EQ(found == blocks.end(), wanted == expected.end()) << value;
  if (wanted != expected.end()) {
    ASSERT_EQ(*found, *wanted);
  }
  ASSERT_EQ(found == blocks.begin(), wanted == expected.begin()) << value;
  if (wanted != expected.begin()) {
    ASSERT_EQ(*std::prev(found), *std::prev(wanted));
  }
}

/// The set grows to many blocks, and becomes empty again.
TEST(SortedBlocksTest, IsASet) {
  constexpr int kAll = 9000;
  std::mt19937 random(7);
  const auto any = [&] { return std::uniform_int_distribution<int>(0, kAll)(random); };
  SortedBlocks<int> blocks;
  std::set<int> expected;
  for (const bool grows : {true, false, true, false}) {
    for (int i = 0; i < 20000; ++i) {
      const int value = any();
      const bool adds = any() < (grows ? kAll * 4 / 5 : kAll / 20);
      if (adds && expected.insert(value).second) blocks.insert(value);
      if (!adds && expected.erase(value) != 0) blocks.erase(blocks.lower_bound(value));
      expect_bounds(blocks, expected, any());
      if (i % 1000 == 0) expect_equal(blocks, expected);
    }
    expect_equal(blocks, expected);
  }
  while (!blocks.empty()) blocks.erase(blocks.begin());
  expect_equal(blocks, {});
}

TEST(SortedBlocksTest, IsMadeOfASortedList) {
  for (const int count : {0, 1, 512, 513, 1024, 5000}) {
    std::set<int> expected;
    for (int i = 0; i < count; ++i) expected.insert(2 * i);
    SortedBlocks<int> blocks(std::vector<int>(expected.begin(), expected.end()));
    expect_equal(blocks, expected);
    for (int i = 0; i < count; i += 3) {
      blocks.insert(2 * i + 1);
      expected.insert(2 * i + 1);
    }
    expect_equal(blocks, expected);
  }
}

}  // namespace
}  // namespace onecast
