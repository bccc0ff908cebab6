// Elements in other files. python/tests has the tests of finding these files and of selections.
#include <gtest/gtest.h>

#include <algorithm>

#include "onecast/onecast.hpp"
#include "support/python.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

class ElsewhereTest : public testing::Test {
 protected:
  void SetUp() override {
    ONECAST_NEEDS_H5PY();
    const auto made =
        run_script(__FILE__, "make_elsewhere.py", "'" + folder_.path().string() + "'");
    ASSERT_EQ(made.status, 0) << made.text;
  }

  [[nodiscard]] File open(const FileOptions& options = {}) const {
    return File::open(folder_ / "file.h5", Access::read_only, options);
  }

  test::SoundDirectory folder_;
};

TEST_F(ElsewhereTest, External) {
  const File file = open();
  const Dataset data = file.root().open_dataset("external");
  EXPECT_EQ(data.layout(), Layout::contiguous);
  EXPECT_TRUE(data.virtual_mappings().empty());
  const auto slots = data.external_slots();
  ASSERT_EQ(slots.size(), 2U);
  EXPECT_EQ(slots[0].file, "a.raw");
  EXPECT_EQ(slots[0].size, 32U);
  EXPECT_EQ(slots[1].offset, 4U);
  EXPECT_EQ(slots[1].size, ExternalSlot::kUnlimited);
  std::vector<std::int32_t> some(8);
  data.read(std::as_writable_bytes(std::span(some)), Hyperslab{{0}, {8}});
  EXPECT_EQ(some[7], 7);
  const Error missing = test::thrown_by([&] { static_cast<void>(data.read<std::int32_t>()); });
  EXPECT_EQ(missing.code(), ErrorCode::not_found);
  for (const std::string& part :
       {std::string("/external"), std::string("\"no.raw\""), folder_ / "no.raw"})
    EXPECT_NE(std::string(missing.what()).find(part), std::string::npos) << missing.what();
}

TEST_F(ElsewhereTest, Virtual) {
  const File file = open();
  const Dataset data = file.root().open_dataset("virtual");
  EXPECT_EQ(data.layout(), Layout::virtual_dataset);
  EXPECT_TRUE(data.external_slots().empty());
  const auto mappings = data.virtual_mappings();
  ASSERT_EQ(mappings.size(), 1U);
  EXPECT_EQ(mappings[0].file, "source.h5");
  EXPECT_EQ(mappings[0].dataset, "x");
  EXPECT_EQ(mappings[0].source, Selection());
  EXPECT_EQ(mappings[0].mapped, Selection(Hyperslab{{1, 0}, {3, 4}}));
  std::vector<std::int64_t> expected(20, -1);
  for (int i = 0; i < 12; ++i) expected[static_cast<std::size_t>(4 + i)] = i;
  EXPECT_EQ(data.read<std::int64_t>(), expected);
  EXPECT_EQ(data.read_all<double>(), std::vector<double>(expected.begin(), expected.end()));
}

TEST_F(ElsewhereTest, OthersListNothing) {
  const Dataset data = open().root().open_dataset("plain");
  EXPECT_TRUE(data.external_slots().empty());
  EXPECT_TRUE(data.virtual_mappings().empty());
}

TEST_F(ElsewhereTest, NotFollowed) {
  FileOptions options;
  options.follow_external = FollowExternal::nowhere;
  const File file = open(options);
  for (const char* name : {"external", "virtual"}) {
    const Dataset data = file.root().open_dataset(name);
    const Error error = test::thrown_by([&] { static_cast<void>(data.read<std::int32_t>()); });
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("follow_external"), std::string::npos);
  }
}

TEST_F(ElsewhereTest, AVirtualDatasetIsWrittenToItsSources) {
  File file = File::open(folder_ / "file.h5", Access::read_write);
  Dataset data = file.root().open_dataset("virtual");
  const std::vector<std::int64_t> all(data.element_count(), 5);
  const Error unmapped = test::thrown_by([&] { data.write(all); });
  EXPECT_EQ(unmapped.code(), ErrorCode::invalid_argument) << unmapped.what();
  const std::vector<std::int64_t> values{100, 101, 102, 103};
  data.write(values, data.rows(2, 3));
  std::vector<std::int64_t> expected(20, -1);
  for (int i = 0; i < 12; ++i) expected[static_cast<std::size_t>(4 + i)] = i;
  std::ranges::copy(values, expected.begin() + 8);
  EXPECT_EQ(data.read<std::int64_t>(), expected);
  file.close();
  const File source = File::open(folder_ / "source.h5");
  EXPECT_EQ(source.root().open_dataset("x").read<std::int32_t>(),
            std::vector<std::int32_t>(expected.begin() + 4, expected.begin() + 16));
}

TEST_F(ElsewhereTest, TheDataspaceOfAVirtualDatasetStays) {
  File file = File::open(folder_ / "file.h5", Access::read_write);
  Dataset data = file.root().open_dataset("virtual");
  const Dataspace& space = data.dataspace();
  data.set_attribute("n", 7);
  EXPECT_EQ(&data.dataspace(), &space);
  data.set_prefixes({.external = {}, .sources = folder_ / "nowhere"});
  EXPECT_EQ(&data.dataspace(), &space);
  EXPECT_EQ(space.shape(), (Shape{5, 4}));
}

}  // namespace
}  // namespace onecast
