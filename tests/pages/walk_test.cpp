#include "pages/walk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "objects/files/follow_links.hpp"
#include "support/disk.hpp"
#include "support/file_name.hpp"
#include "support/file_states.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace files;

namespace {

using test::open_state;

using test::kName;
constexpr std::uint64_t kBig = std::uint64_t{1} << 30U;

/// 100 groups of 20 attributes, each with a dataset of 10,000 bytes that is not in its header.
class WalkTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kDataSize = 10'000;
  static constexpr std::uint64_t kGroups = 100;

  void SetUp() override {
    File file = disk_.create(kName);
    for (unsigned i = 0; i < kGroups; ++i) {
      Group group = file.root().create_group(fmt::format("group{}", i));
      for (int a = 0; a < 20; ++a) group.set_attribute(fmt::format("attribute{}", a), a);
      group.create_dataset("data", {.type = Datatype::integer(1, false),
                                    .space = Shape{kDataSize},
                                    .data = test::pattern(kDataSize)});
    }
    file.close();
  }

  WalkResult walk(const WalkLimits& limits, const char* from = "/") {
    disk_.trace().clear();
    transport_ = disk_.factory()(kName, OpenMode::read_only);
    blocks_.emplace(context_, *transport_, 0, disk_.bytes(kName).size());
    return walk_metadata(*blocks_, address_of(from), limits);
  }
  [[nodiscard]] Address address_of(const char* path) const {
    const auto state = open_state(kName, Access::read_only, Communicator(), {}, disk_.factory());
    return find_object(state->root(), path)->address;
  }
  static std::uint64_t bytes_of(const WalkResult& walk) {
    std::uint64_t bytes = 0;
    for (const FileRange& r : walk.ranges) bytes += r.size;
    return bytes;
  }

  test::Disk disk_;
  FileContext context_{kName, 8, 8};
  std::unique_ptr<Transport> transport_;
  std::optional<BlockCache> blocks_;
};

TEST_F(WalkTest, BringsAllMetadataOnceAndNoData) {
  const WalkResult all = walk({kBig, 0, true});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.small_data_bytes, 0U);
  EXPECT_EQ(all.metadata_bytes, bytes_of(all));
  for (std::size_t i = 1; i < all.ranges.size(); ++i)
    EXPECT_GT(all.ranges[i].address.value,
              all.ranges[i - 1].address.value + all.ranges[i - 1].size);
  const MetadataReport report = disk_.open(kName).metadata_report();
  EXPECT_LE(all.metadata_bytes, report.metadata_bytes);
  EXPECT_GT(all.metadata_bytes, kGroups * 20 * 20);
}

TEST_F(WalkTest, SmallDataComesAlongUpToItsLimit) {
  const WalkResult without = walk({kBig, kDataSize - 1, true});
  EXPECT_EQ(without.small_data_bytes, 0U);
  const WalkResult with = walk({kBig, kDataSize, true});
  EXPECT_EQ(with.small_data_bytes, kGroups * kDataSize);
  EXPECT_GE(bytes_of(with), with.small_data_bytes + without.metadata_bytes);
}

TEST_F(WalkTest, StopsAtTheBudget) {
  const WalkResult all = walk({kBig, 0, true});
  for (const std::uint64_t budget :
       {std::uint64_t{0}, std::uint64_t{10'000}, all.metadata_bytes / 2}) {
    const WalkResult part = walk({budget, 0, true});
    EXPECT_FALSE(part.complete);
    // The object that exceeds the budget is still complete: here a group with its dense attributes.
    EXPECT_LE(bytes_of(part), budget + 10'000);
    EXPECT_GE(bytes_of(part), budget);
  }
  EXPECT_FALSE(walk({500'000, kDataSize, true}).complete);
  EXPECT_TRUE(walk({all.metadata_bytes, 0, true}).complete);
}

TEST_F(WalkTest, OneObjectAlone) {
  const WalkResult one = walk({kBig, kDataSize, false}, "/group7");
  EXPECT_LT(bytes_of(one), 10'000U);
  EXPECT_EQ(one.small_data_bytes, 0U) << "the dataset is below it";
  const WalkResult below = walk({kBig, kDataSize, true}, "/group7");
  EXPECT_EQ(below.small_data_bytes, kDataSize);
  EXPECT_EQ(walk({kBig, kDataSize, false}, "/group7/data").small_data_bytes, kDataSize);
}

TEST_F(WalkTest, GoesAroundDamage) {
  const WalkResult whole = walk({kBig, kDataSize, true});
  const Address damaged = address_of("/group7");
  disk_.bytes(kName)[static_cast<std::size_t>(damaged.value) + 20] ^= std::byte{0xff};
  const WalkResult rest = walk({kBig, kDataSize, true});
  EXPECT_TRUE(rest.complete);
  EXPECT_EQ(rest.small_data_bytes, whole.small_data_bytes - kDataSize);
  // Looking up the object gives the error.
  File file = disk_.open(kName);
  const Error error = test::thrown_by([&] { static_cast<void>(file.root().open_group("group7")); });
  EXPECT_EQ(error.code(), ErrorCode::format);
  EXPECT_NE(std::string(error.what()).find(fmt::format("{:#x}", damaged.value)), std::string::npos)
      << error.what();
  EXPECT_EQ(file.root().open_group("group8").attribute("attribute3").read<int>(),
            std::vector<int>{3});
}

TEST_F(WalkTest, AFailedReadEndsIt) {
  disk_.faults().faults = {
      {.call = test::FaultPlan::Call::read, .first = 3, .count = test::FaultPlan::kForever}};
  disk_.faults().reads = 0;
  const Error error = test::thrown_by([&] { walk({kBig, kDataSize, true}); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), EIO);
}

}  // namespace
}  // namespace onecast
