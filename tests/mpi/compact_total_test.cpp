// The limit for data in headers, which every rank holds
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class CompactTotalTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kCount = 100;  // 400 bytes

  [[nodiscard]] static Layout add(Group group, const std::string& name, int first = 0) {
    return group.create_dataset(name, {kCount}, count_up(kCount, first)).layout();
  }
  static void expect_values(const File& file, const std::string& name, int first) {
    EXPECT_EQ(file.root().open_dataset(name).read<std::int32_t>(), count_up(kCount, first)) << name;
  }

  /// Creates the share of rank `index` of `parts` among 24 datasets.
  static void make_alone(const File& file, int index, int parts) {
    const Hyperslab mine = share(24, index, parts);
    for (std::uint64_t i = mine.start[0]; i < mine.start[0] + mine.count[0]; ++i) {
      const std::string name = "group " + std::to_string(i) + "/data";
      EXPECT_EQ(add(file.root(), name, static_cast<int>(i)), Layout::compact);
    }
  }
};

TEST_F(CompactTotalTest, SmallDataIsCompactWhileThereIsRoom) {
  File file = File::create(path(), world_, {.page_size = 4096, .compact_total = 1000});
  Group root = file.root();
  EXPECT_EQ(add(root, "a"), Layout::compact);
  EXPECT_EQ(add(root, "b"), Layout::compact);
  EXPECT_EQ(add(root, "c", 7), Layout::contiguous);
  EXPECT_EQ(root.create_dataset("small", {50}, count_up(50)).layout(), Layout::compact);
  EXPECT_EQ(
      root.create_dataset("asked for", {50}, count_up(50), {.layout = Layout::compact}).layout(),
      Layout::compact);
  EXPECT_EQ(root.create_dataset("tiny", {1}, count_up(1)).layout(), Layout::contiguous);
  root.remove("a");
  root.remove("c");
  EXPECT_EQ(root.create_dataset("half", {50}, count_up(50)).layout(), Layout::compact);
  file.flush();
  root.remove("b");
  EXPECT_EQ(add(root, "again"), Layout::compact);
  EXPECT_EQ(add(root, "more", 9), Layout::contiguous);
  root.copy(root.open_dataset("again"), "copy");
  EXPECT_EQ(root.open_dataset("copy").layout(), Layout::contiguous);
  file.close();
  const File again = File::open(path(), Access::read_only, world_);
  expect_values(again, "copy", 0);
  expect_values(again, "more", 9);
}

TEST_F(CompactTotalTest, SixteenMebibytesByDefault) {
  File file = File::create(path(), world_);
  Group root = file.root();
  const auto data = count_up(1024);
  std::vector<Dataset> made;
  for (int i = 0; i < 4098; ++i)
    made.push_back(root.create_dataset(std::to_string(i), {1024}, data));
  EXPECT_EQ(made[4095].layout(), Layout::compact);
  EXPECT_EQ(made[4096].layout(), Layout::contiguous);
  if (rank() == 0) {
    File alone = File::create(path("alone.h5"));
    for (int i = 0; i < 4098; ++i)
      EXPECT_EQ(alone.root().create_dataset(std::to_string(i), {1024}, data).layout(),
                Layout::compact);
    alone.close();
  }
  file.close();
}

TEST_F(CompactTotalTest, WhatRanksMakeAloneIsJudgedTogether) {
  for (const std::uint64_t total : {std::uint64_t{9600}, std::uint64_t{9599}}) {
    const FileOptions options{.page_size = 4096, .compact_total = total};
    for (int parts = 1; parts <= size(); ++parts) {
      const std::string name = path(std::to_string(parts) + ".h5");
      if (const auto ranks = first_ranks(parts)) {
        File file = File::create(name, *ranks, options);
        {
          const auto alone = file.independent();
          make_alone(file, rank(), parts);
          if (rank() == 0) {
            Dataset written = file.root().open_dataset("group 0/data");
            written.write(count_up(2, 100), Hyperslab{{3}, {2}});
          }
        }
        file.flush();
        for (int i = 0; i < 24; ++i) {
          const Dataset found = file.root().open_dataset("group " + std::to_string(i) + "/data");
          EXPECT_EQ(found.layout(), total == 9600 ? Layout::compact : Layout::contiguous);
          auto expected = count_up(kCount, i);
          if (i == 0) expected[3] = 100, expected[4] = 101;
          EXPECT_EQ(found.read<std::int32_t>(), expected) << i;
        }
        EXPECT_EQ(add(file.root(), "late"), total == 9600 ? Layout::contiguous : Layout::compact);
        file.close();
      }
      EXPECT_TRUE(contents(name) == contents(path("1.h5"))) << parts << " ranks, " << total;
    }
  }
}

TEST_F(CompactTotalTest, RanksMustMeanTheSame) {
  if (size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  FileOptions options;
  if (rank() == last()) options.compact_total = 5;
  EXPECT_EQ(same_error([&] { File::create(path(), world_, options); }).code(), ErrorCode::diverged);
}

}  // namespace
}  // namespace onecast::test
