// The times of creation and change of objects
#include <gtest/gtest.h>

#include <ctime>
#include <optional>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/sound_files.hpp"

namespace onecast::test {
namespace {

TEST(Times, AreThoseOfTheFlush) {
  const SoundDirectory folder;
  File file = File::create(folder / "a.h5", {.track_times = true});
  Group root = file.root();
  const Group group = root.create_group("group", {.times = true});
  const Dataset data = root.create_dataset("data", {1}, std::vector<int>{5}, {.times = true});
  const Group without = root.create_group("without");
  EXPECT_TRUE(group.tracks_times());
  EXPECT_EQ(group.times(), std::nullopt);
  const std::int64_t before = std::time(nullptr);
  file.flush();
  const std::optional<ObjectTimes> times = group.times();
  ASSERT_TRUE(times);
  EXPECT_GE(times->birth, before);
  EXPECT_LE(times->birth, std::time(nullptr));
  const auto all = times->birth;
  EXPECT_EQ(times, (ObjectTimes{all, all, all, all}));
  EXPECT_EQ(root.times(), times);
  EXPECT_EQ(data.times(), times);
  EXPECT_EQ(data.modification_time(), all);
  EXPECT_FALSE(without.tracks_times());
  EXPECT_EQ(without.times(), std::nullopt);
  EXPECT_EQ(without.modification_time(), std::nullopt);
}

}  // namespace
}  // namespace onecast::test
