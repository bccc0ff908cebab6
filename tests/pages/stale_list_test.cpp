#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/lookup3.hpp"
#include "onecast/check/check.hpp"
#include "pages/boot_page.hpp"
#include "structures/object_header.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/python.hpp"
#include "support/temporary_directory.hpp"

namespace onecast {

using namespace files;

namespace {

using test::open_state;

using test::kName;
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

  /// Updates the fields "Checksum" of the changed superblock and extension.
  void seal() {
    test::Bytes& bytes = disk_.bytes(kName);
    const auto put = [&](std::size_t first, std::size_t end) {
      const std::uint32_t sum = lookup3(ByteView(bytes).subspan(first, end - 4 - first));
      std::memcpy(bytes.data() + end - 4, &sum, 4);
    };
    put(0, kSuperblockSize);
    put(kSuperblockSize, kBootSize);
  }
  /// Returns the flags of the page list message.
  std::byte& flags() {
    const auto state = open_state(kName, Access::read_only, Communicator(), {}, disk_.factory());
    const ObjectHeader extension = read_object_header(state->store(), {kSuperblockSize});
    const HeaderMessage* message = extension.find(MessageType::page_list);
    return disk_.bytes(kName)[static_cast<std::size_t>(message->address.value) - 1];
  }
  /// Expects that all objects are there, but the list is not trusted, and that adopting the file
  /// renews it.
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
    file.adopt();
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

TEST_F(StaleListTest, StaysStaleWithoutACommunicator) {
  flags() |= std::byte{message_flag::kWasUnknown};
  seal();
  for (int i = 0; i < 3; ++i) {
    File file = disk_.open(kName, Access::read_write);
    file.root().create_group(fmt::format("new{}", i)).set_attribute("number", i);
    file.close();
    EXPECT_TRUE(disk_.open(kName).metadata_report().page_list_stale);
  }
  expect_stale();
  EXPECT_EQ(disk_.open(kName).root().open_group("new2").attribute("number").read<int>(),
            std::vector<int>{2});
}

TEST_F(StaleListTest, ALieAboutFreeSpaceIsFound) {
  constexpr std::uint64_t kSize = 10000;
  const auto data = [](int value) {
    return std::vector<std::uint8_t>(kSize, static_cast<std::uint8_t>(value));
  };
  File file = disk_.open(kName, Access::read_write);
  file.root().create_dataset("kept", {kSize}, data(0x5a));
  file.root().create_dataset("gone", {kSize}, data(0x5b));
  file.close();
  file = disk_.open(kName, Access::read_write);
  file.root().remove("gone");
  file.close();
  test::Bytes& bytes = disk_.bytes(kName);
  const auto place = [&](int value) {
    const auto found =
        std::search_n(bytes.begin(), bytes.end(), 1000, static_cast<std::byte>(value));
    return static_cast<std::uint64_t>(found - bytes.begin());
  };
  const auto findings = [&] {
    const test::TemporaryDirectory directory;
    disk_.save(kName, directory / "a.h5");
    return check_file(directory / "a.h5", {}).findings;
  };
  EXPECT_TRUE(findings().empty());
  // This is the stretch in the page list behind "kept", where "gone" was.
  const std::uint64_t kept = place(0x5a);
  const std::uint64_t behind = kept + kSize;
  const auto* pattern = reinterpret_cast<const std::byte*>(&behind);
  const auto stretch = std::search(bytes.begin(), bytes.begin() + kBootSize, pattern, pattern + 8);
  ASSERT_NE(stretch, bytes.begin() + kBootSize);
  std::memcpy(&*stretch, &kept, sizeof kept);
  seal();
  ASSERT_EQ(findings().size(), 1U);
  EXPECT_EQ(findings()[0].kind, Finding::Kind::overlap);
  EXPECT_EQ(findings()[0].path, "/kept");
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
