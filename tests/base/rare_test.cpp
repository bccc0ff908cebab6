#include "base/rare.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace onecast {
namespace {

TEST(RareTest, HasNoValueUntilItIsChanged) {
  Rare<std::string> text;
  EXPECT_EQ(text.get(), nullptr);
  EXPECT_FALSE(text.is_set());
  text.change() += "a";
  text.change() += "b";
  ASSERT_NE(text.get(), nullptr);
  EXPECT_EQ(*text.get(), "ab");
  EXPECT_TRUE(text.is_set());
  text.reset();
  EXPECT_EQ(text.get(), nullptr);
}

TEST(RareTest, ACopyHasAValueOfItsOwn) {
  Rare<std::string> text;
  const Rare<std::string> nothing = text;
  text.change() = "a";
  Rare<std::string> copy = text;
  copy.change() = "b";
  EXPECT_EQ(*text.get(), "a");
  EXPECT_EQ(*copy.get(), "b");
  const Rare<std::string> moved = std::move(copy);
  EXPECT_EQ(*moved.get(), "b");
  text = nothing;
  EXPECT_EQ(text.get(), nullptr);
}

TEST(RareVectorTest, IsAVector) {
  RareVector<int> all;
  EXPECT_TRUE(all.empty());
  EXPECT_TRUE(all.all().empty());
  for (const int element : all) ADD_FAILURE() << element;
  for (const int element : {3, 4, 5}) all.push_back(element);
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(all.front(), 3);
  EXPECT_EQ(all[2], 5);
  EXPECT_EQ(std::vector<int>(all.begin(), all.end()), (std::vector<int>{3, 4, 5}));
  const RareVector<int> copy = all;
  all.clear();
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(copy.size(), 3U);
}

}  // namespace
}  // namespace onecast
