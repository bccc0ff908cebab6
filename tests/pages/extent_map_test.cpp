#include "pages/extent_map.hpp"

#include <gtest/gtest.h>

#include "support/pattern.hpp"

namespace onecast::pages {
namespace {

using test::pattern;

class ExtentMapTest : public testing::Test {
 protected:
  std::span<std::byte> bytes(std::size_t size) { return std::span(memory_).first(size); }

  std::vector<std::byte> memory_ = pattern(1000);
  ExtentMap map_;
};

TEST_F(ExtentMapTest, FindsWhatOneStretchHolds) {
  map_.add({100}, bytes(50));
  EXPECT_EQ(map_.find({100}, 50)->data(), memory_.data());
  EXPECT_EQ(map_.find({120}, 30)->data(), memory_.data() + 20);
  EXPECT_EQ(map_.find({120}, 0)->size(), 0U);
  EXPECT_FALSE(map_.find({120}, 31));
  EXPECT_FALSE(map_.find({99}, 1));
  EXPECT_FALSE(map_.find({150}, 1));
  EXPECT_FALSE(map_.find({150}, 0));
  EXPECT_FALSE(map_.find({120}, ~std::uint64_t{0}));
}

TEST_F(ExtentMapTest, StretchesAreSortedAndApart) {
  map_.add({500}, bytes(10));
  map_.add({100}, bytes(10));
  map_.add({300}, bytes(10));
  ASSERT_EQ(map_.extents().size(), 3U);
  EXPECT_EQ(map_.extents()[0].address.value, 100U);
  EXPECT_EQ(map_.extents()[1].address.value, 300U);
  EXPECT_EQ(map_.extents()[2].address.value, 500U);
  // Adjacent extents stay two, since a view must lie in one block of memory.
  map_.add({110}, bytes(10));
  EXPECT_FALSE(map_.find({105}, 10));
}

TEST_F(ExtentMapTest, TheEndIsCutWhereSomethingIsKnown) {
  map_.add({200}, bytes(100));
  map_.add({150}, bytes(100));
  EXPECT_EQ(map_.holding({199})->size, 50U);
  EXPECT_EQ(map_.holding({200})->size, 100U);
  map_.add({300}, {});
  EXPECT_EQ(map_.extents().size(), 2U);
}

TEST_F(ExtentMapTest, KnowsNeighbours) {
  EXPECT_EQ(map_.holding({0}), nullptr);
  EXPECT_FALSE(map_.next_after({0}).is_defined());
  map_.add({100}, bytes(10));
  EXPECT_EQ(map_.next_after({0}).value, 100U);
  EXPECT_FALSE(map_.next_after({100}).is_defined());
  EXPECT_EQ(map_.holding({109})->address.value, 100U);
  EXPECT_EQ(map_.holding({110}), nullptr);
}

}  // namespace
}  // namespace onecast::pages
