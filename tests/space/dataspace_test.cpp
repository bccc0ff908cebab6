#include "onecast/space/dataspace.hpp"

#include <gtest/gtest.h>

#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::thrown_by;

TEST(DataspaceTest, CountsItsElements) {
  EXPECT_EQ(Dataspace().element_count(), 1U);
  EXPECT_EQ(Dataspace().kind(), Dataspace::Kind::scalar);
  EXPECT_EQ(Dataspace(Shape{}).kind(), Dataspace::Kind::scalar);
  EXPECT_EQ(Dataspace::null().element_count(), 0U);
  EXPECT_EQ(Dataspace::null().kind(), Dataspace::Kind::null);
  EXPECT_EQ(Dataspace(Shape{2, 3, 4}).element_count(), 24U);
  EXPECT_EQ(Dataspace(Shape{2, 3, 4}).rank(), 3U);
}

TEST(DataspaceTest, AZeroSizeWinsOverAnOverflow) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 40U;
  EXPECT_EQ(Dataspace(Shape{kHuge, kHuge, 0}).element_count(), 0U);
  const Error error =
      thrown_by([] { static_cast<void>(Dataspace(Shape{kHuge, kHuge}).element_count()); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
}

TEST(DataspaceTest, ChecksTheMaximalShape) {
  const Dataspace growing(Shape{2, 3}, Shape{Dataspace::kUnlimited, 3});
  EXPECT_EQ(growing.max_shape(), (Shape{Dataspace::kUnlimited, 3}));
  EXPECT_EQ(thrown_by([] { Dataspace(Shape{2, 3}, Shape{2}); }).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(thrown_by([] { Dataspace(Shape{2, 3}, Shape{2, 2}); }).code(),
            ErrorCode::invalid_argument);
}

TEST(DataspaceTest, ComparesAllItHas) {
  EXPECT_EQ(Dataspace(Shape{2}), Dataspace(Shape{2}));
  EXPECT_NE(Dataspace(Shape{1}), Dataspace());
  EXPECT_NE(Dataspace(), Dataspace::null());
  EXPECT_NE(Dataspace(Shape{2}), Dataspace(Shape{2}, Shape{4}));
}

}  // namespace
}  // namespace onecast
