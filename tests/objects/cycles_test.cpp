#include <fmt/format.h>
#include <gtest/gtest.h>

#include "objects/description.hpp"
#include "objects/files/follow_links.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/pattern.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// Files are created, opened, changed and opened again, with several page sizes.
namespace onecast {

using namespace files;

namespace {

using test::expect_as_stock;
using test::open_state;
using test::same_text;

using test::kName;

class CyclesTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  [[nodiscard]] File create() const {
    FileOptions options;
    options.page_size = GetParam();
    return disk_.create(kName, options);
  }
  [[nodiscard]] File reopen() const { return disk_.open(kName, Access::read_write); }

  /// Expects the file to have this description.
  void expect(const std::string& description) const {
    for (const LoadPolicy policy : {LoadPolicy::eager, LoadPolicy::lazy}) {
      FileOptions options;
      options.load_policy = policy;
      EXPECT_TRUE(same_text(test::Description(disk_.open(kName, Access::read_only, options)).json(),
                            description));
    }
    EXPECT_TRUE(
        same_text(test::Description(disk_.open(kName, Access::read_write)).json(), description));
  }
  void close(File& file) {
    file.flush();
    const std::string description = test::Description(file).json();
    file.close();
    expect(description);
  }

  test::SoundDisk disk_;
};

INSTANTIATE_TEST_SUITE_P(Pages, CyclesTest, testing::Values(4096, 65536, 1 << 20),
                         [](const auto& page) { return fmt::format("of{}", page.param); });

TEST_P(CyclesTest, AnEmptyFile) {
  File file = create();
  EXPECT_EQ(file.root().link_count(), 0U);
  EXPECT_TRUE(file.is_open());
  EXPECT_EQ(file.access(), Access::read_write);
  EXPECT_EQ(file.path(), kName);
  close(file);
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(file.io_stats().writes, 2U) << "page 0 holds all; the superblock is last";
  EXPECT_EQ(disk_.bytes(kName).size(), GetParam());
  expect_as_stock(disk_, kName);
}

TEST_P(CyclesTest, GrowsByReopening) {
  create().close();
  std::string description;
  for (int i = 0; i < 60; ++i) {
    File file = reopen();
    if (i > 0) {
      EXPECT_TRUE(same_text(test::Description(file).json(), description)) << i;
    }
    Group group = file.root().create_group(fmt::format("group{}", i));
    group.set_attribute("number", i);
    file.root().set_attribute(fmt::format("attribute{}", i % 12), i);
    group.create_dataset("compact", {5}, std::vector<double>(5, i));
    group.create_dataset("contiguous", {3000}, std::vector<int>(3000, i));
    if (i > 3)
      file.root()
          .open_group(fmt::format("group{}", i - 3))
          .create_group("later")
          .set_attribute("i", i);
    if (i % 10 == 9) file.root().remove(fmt::format("group{}", i - 5));
    file.flush();
    description = test::Description(file).json();
    file.close();
    ASSERT_FALSE(HasFailure()) << i;
  }
  expect(description);
  expect_as_stock(disk_, kName);
}

TEST_P(CyclesTest, WritesNothingWhereNothingChanged) {
  File file = create();
  file.root().create_group("group").set_attribute("number", 1);
  file.flush();
  const std::uint64_t writes = file.io_stats().writes;
  EXPECT_GT(writes, 0U);
  file.flush();
  file.flush();
  file.close();
  EXPECT_EQ(file.io_stats().writes, writes);

  const test::Bytes before = disk_.bytes(kName);
  for (const LoadPolicy policy : {LoadPolicy::eager, LoadPolicy::lazy}) {
    FileOptions options;
    options.load_policy = policy;
    File again = disk_.open(kName, Access::read_write, options);
    static_cast<void>(test::Description(again).json());
    again.flush();
    again.close();
    EXPECT_EQ(again.io_stats().writes, 0U);
    EXPECT_TRUE(disk_.bytes(kName) == before);
  }
}

TEST_P(CyclesTest, AChangeWritesOnlyItsPages) {
  File file = create();
  for (int i = 0; i < 200; ++i) {
    Group g = file.root().create_group(fmt::format("group{}", i));
    g.set_attribute("text", std::string(200, 'x'));
  }
  file.close();
  const std::uint64_t page = GetParam();
  disk_.trace().clear();
  file = reopen();
  file.root().open_group("group150").set_attribute("text", std::string(200, 'y'));
  file.close();
  // One write is the journal, the other the page of the group.
  const auto writes = disk_.writes();
  const auto state = open_state(kName, Access::read_only, Communicator(), {}, disk_.factory());
  const std::uint64_t at = find_object(state->root(), "group150")->address.value / page * page;
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_LE(writes.front().size, 4096U) << "only the blocks that changed";
  EXPECT_EQ(writes.back(), (test::IoCall{test::IoCall::Kind::write, at, page}));
}

TEST_P(CyclesTest, ManyFlushesOfOneHandle) {
  File file = create();
  for (int i = 0; i < 50; ++i) {
    file.root().create_group(fmt::format("a/b{}/c", i)).set_attribute("n", i);
    file.root().create_dataset(fmt::format("a/b{}/data", i),
                               {100 + static_cast<std::uint64_t>(i) * 97},
                               std::vector<float>(static_cast<std::size_t>(100 + i * 97), 0.5F));
    file.flush();
  }
  close(file);
  expect_as_stock(disk_, kName);
}

TEST_P(CyclesTest, AHeaderOutgrowsItsBlockAgainAndAgain) {
  File file = create();
  Dataset data = file.root().create_dataset("data", {4}, std::vector<int>{1, 2, 3, 4});
  file.close();
  // Eight attributes stay in the header, and grow each time.
  for (std::size_t size = 1; size < 40'000; size = size * 3 + 1) {
    File again = reopen();
    Dataset same = again.root().open_dataset("data");
    for (unsigned i = 0; i < 8; ++i) {
      const auto value = test::pattern(size + i, i);
      same.set_attribute(fmt::format("a{}", i), Datatype::integer(1, false), Shape{value.size()},
                         value);
    }
    close(again);
    EXPECT_EQ(disk_.open(kName).root().open_dataset("data").read<int>(),
              (std::vector<int>{1, 2, 3, 4}));
  }
  expect_as_stock(disk_, kName);
  // When they shrink, the blocks stay as they are.
  File again = reopen();
  const std::uint64_t end = again.metadata_report().file_size;
  for (unsigned i = 0; i < 8; ++i)
    again.root().open_dataset("data").remove_attribute(fmt::format("a{}", i));
  again.root().open_dataset("data").set_attribute("b", 7);
  close(again);
  EXPECT_EQ(disk_.open(kName).metadata_report().file_size, end);
  expect_as_stock(disk_, kName);
}

TEST_P(CyclesTest, RemovedAndMadeAgain) {
  File file = create();
  for (int round = 0; round < 3; ++round) {
    Group group = file.root().create_group("group");
    group.create_dataset("data", {static_cast<std::uint64_t>(round) + 1},
                         std::vector<int>(static_cast<std::size_t>(round) + 1, round));
    file.flush();
    file.root().remove("group");
    EXPECT_FALSE(file.root().contains("group"));
    if (round == 1) file.flush();
  }
  file.root().create_dataset("group", {2}, std::vector<int>{8, 9});
  close(file);
  EXPECT_EQ(disk_.open(kName).root().open_dataset("group").read<int>(), (std::vector<int>{8, 9}));
  expect_as_stock(disk_, kName);
}

TEST_P(CyclesTest, AFileIsReplaced) {
  File first = create();
  first.root().create_group("old");
  first.flush();
  File second = create();
  second.root().create_group("new");
  second.close();
  first.close();
  EXPECT_TRUE(disk_.open(kName).root().contains("new"));
  EXPECT_FALSE(disk_.open(kName).root().contains("old"));
}

TEST_P(CyclesTest, WithoutCloseTheLastFlushStays) {
  {
    File file = create();
    file.root().create_group("kept");
    file.flush();
    file.root().create_group("lost");
  }
  EXPECT_TRUE(disk_.open(kName).root().contains("kept"));
  EXPECT_FALSE(disk_.open(kName).root().contains("lost"));
}

}  // namespace
}  // namespace onecast
