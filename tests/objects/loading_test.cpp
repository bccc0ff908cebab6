#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "base/byte_reader.hpp"
#include "base/lookup3.hpp"
#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// When metadata is read, and how often
namespace onecast {

using namespace transport;

namespace {

using test::same_text;
using test::thrown_by;

using test::kName;

class LoadingTest : public testing::Test {
 protected:
  static constexpr int kGroups = 300;

  /// Creates about 600 KB of metadata and 6 MB of data.
  void SetUp() override {
    File file = disk_.create(kName);
    for (int i = 0; i < kGroups; ++i) {
      Group group = file.root().create_group(fmt::format("group{}", i));
      for (int a = 0; a < 12; ++a)
        group.set_attribute(fmt::format("attribute{}", a), std::string(60, 'x'));
      group.create_dataset("small", {10}, std::vector<int>(10, i));
      group.create_dataset("large", {5000}, std::vector<int>(5000, i));
    }
    file.close();
    description_ = test::Description(disk_.open(kName)).json();
  }
  /// Makes the page list stale, as if another program had changed the file.
  void forget_list() {
    test::Bytes& bytes = disk_.bytes(kName);
    bytes.resize(bytes.size() + 4096);
    const std::uint64_t end = bytes.size();
    std::memcpy(bytes.data() + 28, &end, 8);
    const std::uint32_t sum = lookup3(ByteView(bytes).first(44));
    std::memcpy(bytes.data() + 44, &sum, 4);
  }
  File open(LoadPolicy policy, FileOptions options = {}, Access access = Access::read_only) {
    options.load_policy = policy;
    return disk_.open(kName, access, options);
  }
  static std::uint64_t reads(const File& file) { return file.io_stats().reads; }
  void expect_all(const File& file) {
    EXPECT_TRUE(same_text(test::Description(file).json(), description_));
  }

  test::SoundDisk disk_;
  std::string description_;
};

TEST_F(LoadingTest, AllPoliciesGiveTheSame) {
  for (const bool listed : {true, false}) {
    if (!listed) forget_list();
    for (const LoadPolicy policy : {LoadPolicy::automatic, LoadPolicy::eager, LoadPolicy::lazy})
      for (const Access access : {Access::read_only, Access::read_write})
        for (const std::uint64_t budget :
             {std::uint64_t{0}, std::uint64_t{100'000}, std::uint64_t{1} << 30U}) {
          SCOPED_TRACE(fmt::format("listed {}, policy {}, access {}, budget {}", listed,
                                   static_cast<int>(policy), static_cast<int>(access), budget));
          FileOptions options;
          options.metadata_budget = budget;
          File file = open(policy, options, access);
          EXPECT_EQ(file.metadata_report().reads_to_open, reads(file));
          EXPECT_EQ(file.metadata_report().page_list_stale, !listed);
          expect_all(file);
          file.close();
          EXPECT_EQ(file.io_stats().writes, 0U);
        }
  }
}

TEST_F(LoadingTest, EagerNeedsNoReadLater) {
  for (const bool listed : {true, false}) {
    if (!listed) forget_list();
    FileOptions options;
    options.small_data_limit = 64 << 10U;
    const File file = open(LoadPolicy::eager, options);
    EXPECT_TRUE(file.metadata_report().complete);
    const std::uint64_t opened = reads(file);
    EXPECT_EQ(file.io_stats().opens, 1U);
    for (const Link& link : file.root().links()) {
      const Group group = file.root().open_group(link);
      EXPECT_EQ(group.attributes().size(), 12U);
      EXPECT_EQ(group.open_dataset("small").read<int>().size(), 10U);
    }
    EXPECT_EQ(reads(file), opened);
  }
}

TEST_F(LoadingTest, SmallDataComesAlongWhereThereIsNoList) {
  forget_list();
  File file = open(LoadPolicy::eager);
  EXPECT_EQ(file.metadata_report().small_data_bytes, kGroups * 20'000U);
  const std::uint64_t opened = reads(file);
  expect_all(file);
  EXPECT_EQ(reads(file), opened);

  FileOptions none;
  none.small_data_limit = 0;
  file = open(LoadPolicy::eager, none);
  EXPECT_EQ(file.metadata_report().small_data_bytes, 0U);
  const std::uint64_t before = reads(file);
  expect_all(file);
  EXPECT_EQ(reads(file) - before, static_cast<std::uint64_t>(kGroups))
      << "one for each large dataset";

  // No copies are kept of data in a file that is open for writing.
  file = open(LoadPolicy::eager, {}, Access::read_write);
  EXPECT_EQ(file.metadata_report().small_data_bytes, 0U);
  file.root().open_dataset("group7/large").write(std::vector<int>{-1}, Hyperslab{{3}, {1}});
  EXPECT_EQ(file.root().open_dataset("group7/large").read<int>()[3], -1);
}

TEST_F(LoadingTest, LazyReadsOnlyWhatIsLookedAt) {
  File file = open(LoadPolicy::lazy);
  EXPECT_LE(reads(file), 2U) << "a long list of pages has a block of its own";
  EXPECT_FALSE(file.metadata_report().complete);
  EXPECT_EQ(file.root().open_group("group0").attributes().size(), 12U);
  EXPECT_LE(reads(file), 4U);
  EXPECT_LT(file.io_stats().bytes_read, disk_.bytes(kName).size());
}

TEST_F(LoadingTest, PrefetchBringsAGroupOrAll) {
  for (const bool listed : {true, false}) {
    if (!listed) forget_list();
    File file = open(LoadPolicy::lazy);
    file.prefetch_all("group5");
    std::uint64_t before = reads(file);
    const Group group = file.root().open_group("group5");
    EXPECT_EQ(group.attributes().size(), 12U);
    EXPECT_EQ(group.open_dataset("large").read<int>(), std::vector<int>(5000, 5));
    EXPECT_EQ(reads(file), before);
    file.prefetch_all();
    before = reads(file);
    expect_all(file);
    EXPECT_EQ(reads(file), before);
    // Nothing is left to read.
    file.prefetch_all();
    EXPECT_EQ(reads(file), before);
    EXPECT_EQ(thrown_by([&] { file.prefetch_all("nothing"); }).code(), ErrorCode::not_found);
  }
}

TEST_F(LoadingTest, PrefetchOfOneObjectLeavesTheRest) {
  File file = open(LoadPolicy::lazy);
  file.prefetch_all("group5", false);
  EXPECT_LT(file.io_stats().bytes_read, disk_.bytes(kName).size() / 2);
  const std::uint64_t before = reads(file);
  EXPECT_EQ(file.root().open_group("group5").attributes().size(), 12U);
  EXPECT_EQ(reads(file), before);
}

TEST_F(LoadingTest, PrefetchOfWhatIsNew) {
  File file = open(LoadPolicy::lazy, {}, Access::read_write);
  file.root().create_group("new").set_attribute("a", 1);
  file.prefetch_all("new");
  file.flush();
  file.prefetch_all("new");
  file.prefetch_all();
  EXPECT_EQ(file.root().open_group("new").attribute("a").read<int>(), std::vector<int>{1});
  file.root().open_group("group9").set_attribute("attribute0", 2);
  file.flush();
  file.prefetch_all();
  EXPECT_EQ(file.root().open_group("group9").attribute("attribute0").read<int>(),
            std::vector<int>{2});
  file.close();
  file = open(LoadPolicy::eager);
  EXPECT_EQ(file.root().open_group("group9").attribute("attribute0").read<int>(),
            std::vector<int>{2});
  EXPECT_EQ(file.root().link_count(), kGroups + 1U);
}

TEST_F(LoadingTest, LazilyOpenedFilesAreChangedAsWell) {
  for (const LoadPolicy policy : {LoadPolicy::lazy, LoadPolicy::eager}) {
    FileOptions options;
    options.metadata_budget = 50'000;
    File file = open(policy, options, Access::read_write);
    for (int i = 0; i < kGroups; i += 7) {
      Group group = file.root().open_group(fmt::format("group{}", i));
      group.set_attribute("attribute3", static_cast<int>(policy));
      group.create_group(fmt::format("more{}", static_cast<int>(policy)));
    }
    file.flush();
    const std::string expected = test::Description(file).json();
    file.close();
    expect_as_stock(disk_, kName);
    EXPECT_TRUE(same_text(test::Description(open(LoadPolicy::lazy)).json(), expected));
    EXPECT_TRUE(same_text(test::Description(open(LoadPolicy::eager)).json(), expected));
  }
}

TEST_F(LoadingTest, AFailedReadIsReportedAndTriedAgain) {
  forget_list();
  for (const LoadPolicy policy : {LoadPolicy::eager, LoadPolicy::lazy}) {
    FileOptions options;
    options.small_data_limit = 0;
    const std::uint64_t all = [&] {
      const File file = open(policy, options);
      expect_all(file);
      return reads(file);
    }();
    // Every read call of opening and of looking around fails once; of the many data reads only some
    // do.
    for (std::uint64_t call = 1; call <= all; call += call < 30 ? 1 : 37) {
      SCOPED_TRACE(fmt::format("call {} of {}", call, all));
      disk_.faults().faults = {
          {.call = test::FaultPlan::Call::read, .first = disk_.faults().reads + call}};
      std::optional<File> file;
      const Error error = thrown_by([&] {
        file = open(policy, options);
        static_cast<void>(test::Description(*file).json());
      });
      EXPECT_EQ(error.code(), ErrorCode::io);
      EXPECT_EQ(error.system_errno(), EIO);
      EXPECT_EQ(std::string(error.what()).rfind("a.h5: read of ", 0), 0U) << error.what();
      if (file) expect_all(*file);
    }
    disk_.faults().faults.clear();
  }
}

TEST_F(LoadingTest, TheReportCounts) {
  FileOptions options;
  options.stripe_size = 65'536;
  const File file = open(LoadPolicy::eager, options);
  const MetadataReport report = file.metadata_report();
  EXPECT_EQ(report.file_size, disk_.bytes(kName).size());
  EXPECT_EQ(report.page_size, 4096U);
  EXPECT_EQ(report.metadata_bytes, report.pages * 4096);
  EXPECT_EQ(report.pieces, report.page_runs);
  EXPECT_GE(report.stripes_touched, (report.metadata_bytes + 65'535) / 65'536);
  EXPECT_LE(report.stripes_touched, report.pages);
  EXPECT_EQ(report.stripe_size, 0U) << "memory has no stripes";
  EXPECT_EQ(report.small_data_bytes, 0U);
  EXPECT_FALSE(report.page_list_stale);
}

}  // namespace
}  // namespace onecast
