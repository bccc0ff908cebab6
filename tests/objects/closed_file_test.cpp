#include <gtest/gtest.h>

#include "support/disk.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

TEST(ClosedFileTest, ADatasetNotLookedAtBeforeNeedsTheFile) {
  const test::SoundDisk disk;
  File file = disk.create("a.h5");
  const Dataset seen = file.root().create_dataset<int>("seen", {2}, {1, 2});
  const Dataset unseen = file.root().create_dataset<int>("unseen", {2}, {1, 2});
  EXPECT_EQ(seen.shape(), Shape{2});
  file.close();
  EXPECT_EQ(seen.shape(), Shape{2});
  EXPECT_EQ(test::thrown_by([&] { static_cast<void>(unseen.shape()); }).code(), ErrorCode::state);
  EXPECT_EQ(test::thrown_by([&] { static_cast<void>(unseen.datatype()); }).code(),
            ErrorCode::state);
  EXPECT_EQ(test::thrown_by([&] { static_cast<void>(seen.read<int>()); }).code(), ErrorCode::state);
}

}  // namespace
}  // namespace onecast
