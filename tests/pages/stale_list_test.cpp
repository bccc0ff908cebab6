#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/lookup3.hpp"
#include "pages/boot_page.hpp"
#include "structures/object_header.hpp"
#include "support/disk.hpp"
#include "support/python.hpp"
#include "support/temporary_directory.hpp"

namespace onecast {
namespace {

constexpr const char* kName = "a.h5";
constexpr std::size_t kSuperblockSize = 48;
constexpr std::size_t kEndOfFileAt = 28;

class StaleListTest : public testing::Test {
 protected:
  void SetUp() override {
    File file = disk_.create(kName);
    for (int i = 0; i < 100; ++i)
      file.root().create_group(fmt::format("group{}", i)).set_attribute("number", i);
    file.close();
  }

  /// "Checksum": of superblock and extension, after they were changed.
  void seal() {
    test::Bytes& bytes = disk_.bytes(kName);
    const auto put = [&](std::size_t first, std::size_t end) {
      const std::uint32_t sum = lookup3(ByteView(bytes).subspan(first, end - 4 - first));
      std::memcpy(bytes.data() + end - 4, &sum, 4);
    };
    put(0, kSuperblockSize);
    put(kSuperblockSize, kBootSize);
  }
  /// The flags of the page list message.
  std::byte& flags() {
    const auto state =
        FileState::open(kName, Access::read_only, Communicator(), {}, disk_.factory());
    const ObjectHeader extension = read_object_header(*state->store, {kSuperblockSize});
    const HeaderMessage* message = extension.find(MessageType::page_list);
    return disk_.bytes(kName)[static_cast<std::size_t>(message->address.value) - 1];
  }
  /// All is there, but the list is not trusted; the first change renews it.
  void expect_stale() {
    for (const LoadPolicy policy : {LoadPolicy::automatic, LoadPolicy::eager, LoadPolicy::lazy}) {
      FileOptions options;
      options.load_policy = policy;
      const File file = disk_.open(kName, Access::read_only, options);
      EXPECT_TRUE(file.metadata_report().page_list_stale);
      for (int i = 0; i < 100; ++i)
        EXPECT_EQ(file.root().open_group(fmt::format("group{}", i)).attribute("number").read<int>(),
                  std::vector<int>{i});
    }
    File file = disk_.open(kName, Access::read_write);
    const auto writes = disk_.writes().size();
    file.close();
    EXPECT_EQ(disk_.writes().size(), writes);
    file = disk_.open(kName, Access::read_write);
    file.root().open_group("group8").set_attribute("changed", 8);
    file.close();
    file = disk_.open(kName);
    EXPECT_FALSE(file.metadata_report().page_list_stale);
    EXPECT_GT(file.metadata_report().extents, 0U);
    EXPECT_TRUE(file.root().open_group("group8").find_attribute("changed"));
    EXPECT_TRUE(file.root().open_group("group99").find_attribute("number"));
  }

  test::Disk disk_;
};

TEST_F(StaleListTest, FreshAsMade) {
  EXPECT_FALSE(disk_.open(kName).metadata_report().page_list_stale);
  EXPECT_EQ(std::to_integer<int>(flags()), message_flag::kMarkIfUnknown);
}

TEST_F(StaleListTest, AWriterThatDidNotKnowTheMessageMarkedIt) {
  flags() |= std::byte{message_flag::kWasUnknown};
  seal();
  expect_stale();
}

TEST_F(StaleListTest, TheEndOfTheFileMoved) {
  test::Bytes& bytes = disk_.bytes(kName);
  bytes.resize(bytes.size() + 4096);
  const std::uint64_t end = bytes.size();
  std::memcpy(bytes.data() + kEndOfFileAt, &end, 8);
  seal();
  expect_stale();
}

TEST_F(StaleListTest, StockMarksItAndReadsAll) {
  ONECAST_NEEDS_H5PY();
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.h5";
  disk_.save(kName, path);
  const PythonAnswer answer =
      run_python(fmt::format("-c 'import h5py\nwith h5py.File(\"{}\", \"r+\") as f:\n  "
                             "f[\"group7\"].create_group(\"new\")\n"
                             "  assert len(f) == 100'",
                             path));
  ASSERT_EQ(answer.status, 0) << answer.text;
  disk_.load(kName, path);
  expect_stale();
  EXPECT_TRUE(disk_.open(kName).root().contains("group7/new"));
}

}  // namespace
}  // namespace onecast
