#include "support/sound_files.hpp"

#include <gtest/gtest-spi.h>

#include <algorithm>
#include <span>

namespace onecast {
namespace {

/// Flips a bit of the last object header, which makes its checksum wrong.
void damage(test::Bytes& bytes) {
  const auto signature = std::as_bytes(std::span("OHDR", 4));
  const auto header = std::find_end(bytes.begin(), bytes.end(), signature.begin(), signature.end());
  ASSERT_NE(header, bytes.end());
  *(header + 8) ^= std::byte{1};
}

void make_group(const test::SoundDisk& disk) {
  File file = disk.create("a.h5");
  file.root().create_group("g");
  file.close();
}

TEST(SoundFilesTest, DamageIsSeen) {
  EXPECT_NONFATAL_FAILURE(
      {
        const test::SoundDisk disk;
        make_group(disk);
        damage(disk.bytes("a.h5"));
      },
      "a.h5");
}

TEST(SoundFilesTest, ButNotWhereItIsMeant) {
  test::SoundDisk disk;
  make_group(disk);
  damage(disk.bytes("a.h5"));
  disk.leave_damage();
}

}  // namespace
}  // namespace onecast
