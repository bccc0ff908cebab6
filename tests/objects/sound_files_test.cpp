#include "support/sound_files.hpp"

#include <gtest/gtest-spi.h>

namespace onecast {
namespace {

/// Flips a bit of the last byte that is not zero: of a checksum, or of a page's seal.
void damage(test::Bytes& bytes) {
  const auto last =
      std::find_if(bytes.rbegin(), bytes.rend(), [](std::byte b) { return b != std::byte{0}; });
  *last ^= std::byte{1};
}

void make_group(const test::SoundDisk& disk) { disk.create("a.h5").root().create_group("g"); }

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
