#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "comm/communicator_access.hpp"
#include "objects/files/file_access.hpp"
#include "pages/superblock_info.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/pattern.hpp"
#include "support/played_communicator.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace files;

namespace {

using test::open_state;
using test::thrown_by;

using test::kName;

TEST(FindSuperblockTest, LooksAtZeroAndAtPowersOfTwoFrom512) {
  for (const std::size_t at : {0U, 512U, 1024U, 2048U, 65536U}) {
    std::vector<std::byte> bytes(at + 8);
    std::memcpy(bytes.data() + at, "\x89HDF\r\n\x1a\n", 8);
    EXPECT_EQ(find_superblock(bytes), at);
    bytes.pop_back();
    EXPECT_EQ(find_superblock(bytes), std::nullopt);
  }
  for (const std::size_t at : {8U, 256U, 1536U, 3072U}) {
    std::vector<std::byte> bytes(8192);
    std::memcpy(bytes.data() + at, "\x89HDF\r\n\x1a\n", 8);
    EXPECT_EQ(find_superblock(bytes), std::nullopt) << at;
  }
  EXPECT_EQ(find_superblock({}), std::nullopt);
}

/// A file with some groups, attributes and data.
class LoadTest : public testing::Test {
 protected:
  void make(FileOptions options = {}) {
    File file = disk_.create(kName, options);
    for (int i = 0; i < 30; ++i) {
      Group group = file.root().create_group(fmt::format("group{}", i));
      group.set_attribute("number", i);
      group.create_dataset("data", {2000}, std::vector<int>(2000, i));
    }
    file.close();
    disk_.trace().clear();
  }
  void expect_content(const File& file) {
    ASSERT_EQ(file.root().link_count(), 30U);
    for (int i = 0; i < 30; ++i) {
      const Group group = file.root().open_group(fmt::format("group{}", i));
      EXPECT_EQ(group.attribute("number").read<int>(), std::vector<int>{i});
      EXPECT_EQ(group.open_dataset("data").read<int>(), std::vector<int>(2000, i));
    }
  }
  Error failure_of_open() {
    return thrown_by([&] { static_cast<void>(disk_.open(kName)); });
  }

  test::Disk disk_;
};

TEST_F(LoadTest, UserBlocksOfAnySize) {
  make();
  const test::Bytes plain = disk_.bytes(kName);
  for (const std::uint64_t user : {512U, 1024U, 4096U, 512U << 10U, 1U << 20U, 4U << 20U}) {
    disk_.bytes(kName) = plain;
    disk_.bytes(kName).insert(disk_.bytes(kName).begin(), user, std::byte{'#'});
    SCOPED_TRACE(user);
    expect_content(disk_.open(kName));
    FileOptions eager;
    eager.load_policy = LoadPolicy::eager;
    const File file = disk_.open(kName, Access::read_only, eager);
    EXPECT_TRUE(file.metadata_report().complete);
    EXPECT_EQ(file.metadata_report().reads_to_open, file.io_stats().reads);
    EXPECT_EQ(file.metadata_report().file_size, plain.size());
    expect_content(file);
  }
}

TEST_F(LoadTest, ASignatureElsewhereIsNone) {
  make();
  disk_.bytes(kName).insert(disk_.bytes(kName).begin(), 1536, std::byte{0});
  const Error error = failure_of_open();
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_EQ(std::string(error.what()),
            "a.h5: not an HDF5 file: no superblock signature at 0, 512, 1024, ...");
  for (const std::size_t size : {0U, 1U, 7U, 8U, 47U}) {
    disk_.bytes(kName).resize(size);
    EXPECT_EQ(failure_of_open().code(), ErrorCode::format) << size;
  }
}

TEST_F(LoadTest, ATruncatedFileIsRefused) {
  make();
  const std::size_t size = disk_.bytes(kName).size();
  disk_.bytes(kName).resize(size - 1);
  const Error error = failure_of_open();
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_NE(std::string(error.what())
                .find(fmt::format("End of File Address: is {}, but the file has only {} bytes "
                                  "(truncated)",
                                  size, size - 1)),
            std::string::npos)
      << error.what();
  for (const std::size_t left : {48U, 100U, 512U, 4096U}) {
    disk_.bytes(kName).resize(left);
    EXPECT_EQ(failure_of_open().code(), ErrorCode::format) << left;
  }
}

TEST_F(LoadTest, AByteMoreDoesNoHarm) {
  make();
  disk_.bytes(kName).push_back(std::byte{1});
  expect_content(disk_.open(kName));
}

TEST_F(LoadTest, OneReadOpensASmallFile) {
  make();
  File file = disk_.open(kName);
  EXPECT_EQ(file.io_stats().opens, 1U);
  EXPECT_EQ(file.io_stats().reads, 1U);
  EXPECT_EQ(file.metadata_report().reads_to_open, 1U);
  EXPECT_TRUE(file.metadata_report().complete);
  for (int i = 0; i < 30; ++i) {
    const Group group = file.root().open_group(fmt::format("group{}", i));
    EXPECT_EQ(group.attribute("number").read<int>(), std::vector<int>{i});
  }
  EXPECT_EQ(file.io_stats().reads, 1U);
}

/// A file with many runs of metadata pages: each flush adds some, followed by raw data.
class PageRunsTest : public LoadTest {
 protected:
  void make_runs(int flushes, std::size_t data_size = 5000) {
    File file = disk_.create(kName);
    for (int i = 0; i < flushes; ++i) {
      Group group = file.root().create_group(fmt::format("group{}", i));
      group.set_attribute("big", Datatype::integer(1, false), Shape{5000}, test::pattern(5000));
      group.create_dataset("data", {.type = Datatype::integer(1, true),
                                    .space = Shape{data_size},
                                    .data = test::pattern(data_size, 1)});
      file.flush();
    }
    file.close();
    disk_.trace().clear();
  }
  void expect_runs(const File& file, int flushes, std::size_t data_size = 5000) {
    ASSERT_EQ(file.root().link_count(), static_cast<std::size_t>(flushes));
    for (int i = 0; i < flushes; ++i) {
      const Group group = file.root().open_group(fmt::format("group{}", i));
      const auto big = group.attribute("big").bytes();
      EXPECT_EQ(std::vector(big.begin(), big.end()), test::pattern(5000));
      std::vector<std::byte> data(data_size);
      group.open_dataset("data").read(data);
      EXPECT_EQ(data, test::pattern(data_size, 1));
    }
  }
  PageList list() {
    const auto state = open_state(kName, Access::read_only, Communicator(), {}, disk_.factory());
    return state->store().page_list().value();
  }
};

TEST_F(PageRunsTest, LieInTheMessageThenInABlock) {
  for (const int flushes : {1, 5, 10, 20, 30, 60}) {
    make_runs(flushes);
    const PageList found = list();
    SCOPED_TRACE(fmt::format("{} flushes, {} runs", flushes, found.runs.size()));
    EXPECT_FALSE(found.stale);
    if (flushes < 10 || flushes > 20) {
      EXPECT_EQ(found.message.runs_in_block(), flushes > 20);
    }
    EXPECT_EQ(found.message.run_count, found.runs.size());
    EXPECT_EQ(found.message.generation, static_cast<std::uint64_t>(flushes));
    if (flushes > 20) {
      EXPECT_GT(found.runs.size(), 12U) << "more than the message has room for";
    }
    EXPECT_EQ(found.message.end_of_file_address, disk_.bytes(kName).size());
    disk_.trace().clear();
    File file = disk_.open(kName);
    EXPECT_EQ(file.metadata_report().page_runs, found.runs.size());
    EXPECT_EQ(file.metadata_report().pages, found.page_count());
    EXPECT_EQ(file.metadata_report().reads_to_open, disk_.trace().size());
    expect_runs(file, flushes);
  }
}

TEST_F(PageRunsTest, EachRunBehindTheFirstBlockIsOneRead) {
  make_runs(40, 100'000);
  const PageList found = list();
  disk_.trace().clear();
  File file = disk_.open(kName);
  std::size_t behind = 0;
  for (const MetadataPageRun& run : found.runs)
    if ((run.first_page + run.page_count) * 4096 > (1U << 20U)) ++behind;
  EXPECT_GE(behind, 4U);
  EXPECT_LE(behind, 10U) << "not one for each flush";
  // One more read is for the block of the page list.
  EXPECT_LE(disk_.trace().size(), 1 + behind + 1);
  EXPECT_EQ(file.metadata_report().reads_to_open, disk_.trace().size());
  expect_runs(file, 40, 100'000);
}

TEST_F(PageRunsTest, GrowOverManyReopenings) {
  make_runs(3);
  for (int i = 3; i < 40; ++i) {
    File file = disk_.open(kName, Access::read_write);
    Group group = file.root().create_group(fmt::format("group{}", i));
    group.set_attribute("big", Datatype::integer(1, false), Shape{5000}, test::pattern(5000));
    group.create_dataset(
        "data",
        {.type = Datatype::integer(1, true), .space = Shape{5000}, .data = test::pattern(5000, 1)});
    file.close();
  }
  EXPECT_TRUE(list().message.runs_in_block());
  EXPECT_EQ(list().message.generation, 40U);
  expect_runs(disk_.open(kName), 40);
}

TEST_F(PageRunsTest, ADamagedBlockIsNotNeeded) {
  make_runs(40);
  const PageList found = list();
  disk_.bytes(kName)[static_cast<std::size_t>(found.message.block_address.value) + 30] ^=
      std::byte{1};
  File file = disk_.open(kName);
  EXPECT_TRUE(file.metadata_report().page_list_stale);
  expect_runs(file, 40);
  file = disk_.open(kName, Access::read_write);
  EXPECT_TRUE(file.adopt());
  file.close();
  file = disk_.open(kName);
  EXPECT_FALSE(file.metadata_report().page_list_stale);
  expect_runs(file, 40);
}

TEST_F(PageRunsTest, ABudgetBringsAPart) {
  make_runs(40, 100'000);
  for (const std::uint64_t budget : {0U, 4096U, 10'000U, 100'000U}) {
    FileOptions options;
    options.metadata_budget = budget;
    File file = disk_.open(kName, Access::read_only, options);
    EXPECT_FALSE(file.metadata_report().complete);
    EXPECT_LE(file.metadata_report().metadata_bytes, budget + 8192);
    expect_runs(file, 40, 100'000);
    EXPECT_GT(file.io_stats().reads, file.metadata_report().reads_to_open);
  }
}

TEST_F(PageRunsTest, OtherRanksGetAllByBroadcast) {
  make_runs(40, 100'000);
  for (const std::uint64_t budget : {std::uint64_t{1} << 30U, std::uint64_t{0}}) {
    const auto record = std::make_shared<test::PlayedCommunicator::Record>();
    FileOptions options;
    options.metadata_budget = budget;
    const auto open = [&](int rank) {
      const Communicator ranks = comm::CommunicatorAccess::make(
          std::make_shared<test::PlayedCommunicator>(rank, 2, record));
      return FileAccess::file(
          open_state(kName, Access::read_only, ranks, options, disk_.factory()));
    };
    const File first = open(0);
    disk_.trace().clear();
    const File second = open(1);
    if (budget != 0) {
      EXPECT_EQ(second.io_stats().opens, 0U);
      EXPECT_EQ(second.root().link_count(), 40U);
      EXPECT_EQ(second.root().open_group("group39").attribute("big").bytes().size(), 5000U);
      EXPECT_TRUE(disk_.trace().empty());
    }
    expect_runs(second, 40, 100'000);
  }
}

}  // namespace
}  // namespace onecast
