#include "space/selection_text.hpp"

#include <gtest/gtest.h>

namespace onecast::space {
namespace {

TEST(SelectionTextTest, AsErrorsShowThem) {
  EXPECT_EQ(selection_text({}), "all elements");
  EXPECT_EQ(selection_text(Selection::none()), "no elements");
  EXPECT_EQ(selection_text(Hyperslab{{0, 5}, {10, 4}}), "elements [0:10, 5:9]");
  EXPECT_EQ(selection_text(Hyperslab{{3, 5}, {1, 4}}), "elements [3, 5:9]");
  EXPECT_EQ(selection_text(Hyperslab{{3}, {4}, {2}, {2}}), "elements [3:11]");
  EXPECT_EQ(selection_text(Hyperslab{{3}, {4}, {5}, {2}}),
            "elements [4 blocks of 2 from 3 on, 5 apart]");
  EXPECT_EQ(selection_text(Hyperslab{{3}, {0}}), "no elements");
  EXPECT_EQ(selection_text(Hyperslab{{0}, {Dataspace::kUnlimited}}), "elements without limit");
  EXPECT_EQ(selection_text(Selection::points(2, {1, 2, 5, 6})), "2 elements within [1:6, 2:7]");
}

}  // namespace
}  // namespace onecast::space
