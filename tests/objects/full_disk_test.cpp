#include <gtest/gtest.h>

#include <cerrno>
#include <optional>

#include "support/file_name.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::kName;
using test::thrown_by;

constexpr std::uint64_t kMany = 300000;
constexpr std::uint64_t kFew = 10000;

DatasetDescription of_size(std::uint64_t count) {
  return {.type = Datatype::of<int>(), .space = Dataspace({count})};
}

TEST(FullDisk, SpaceOfAnonymousDatasetsIsFreeAgainBeforeTheNextFlush) {
  test::SoundDisk disk;
  File file = disk.create(kName);
  std::optional<Dataset> held = file.root().create_anonymous_dataset(of_size(kFew));
  held->write(std::vector<int>(kFew, 1));
  disk.faults().space = 100'000;
  for (const char* name : {"a", "b"}) {
    std::optional<Dataset> lost = file.root().create_anonymous_dataset(of_size(kMany));
    const auto write = [&] { lost->write(std::vector<int>(kMany, 5)); };
    EXPECT_EQ(thrown_by(write).system_errno(), ENOSPC);
    lost.reset();
    file.root().create_dataset(name, of_size(kFew)).write(std::vector<int>(kFew, 2));
  }
  file.root().create_hard_link("held", *held);
  held.reset();
  file.close();
  disk.faults().space.reset();
  const File after = disk.open(kName);
  EXPECT_EQ(after.root().open_dataset("b").read<int>(), std::vector<int>(kFew, 2));
  EXPECT_EQ(after.root().open_dataset("held").read<int>(), std::vector<int>(kFew, 1));
}

}  // namespace
}  // namespace onecast
