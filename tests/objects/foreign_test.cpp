#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/python.hpp"
#include "support/selection_model.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

/// Files that stock HDF5 wrote in its oldest and its newest format
namespace onecast {
namespace {

using test::thrown_by;

using test::kName;
const Shape kShape{20, 30, 7};

class ForeignTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ONECAST_NEEDS_H5PY();
    static std::map<std::string, test::Bytes> made;
    test::Bytes& bytes = made[GetParam()];
    if (bytes.empty()) {
      const test::TemporaryDirectory directory;
      const auto answer = run_script(__FILE__, "make_foreign.py",
                                     fmt::format("{} '{}'", GetParam(), directory / kName));
      ASSERT_EQ(answer.status, 0) << answer.text;
      disk_.load(kName, directory / kName);
      bytes = disk_.bytes(kName);
    }
    disk_.bytes(kName) = bytes;
  }

  template <class T>
  static std::vector<T> read_part(const Dataset& data, const Hyperslab& part, std::size_t count) {
    std::vector<T> values(count);
    data.read(values, part);
    return values;
  }
  template <class T>
  void expect_parts(const char* name) {
    SCOPED_TRACE(name);
    for (const std::uint64_t small : {std::uint64_t{0}, std::uint64_t{65536}}) {
      FileOptions options;
      options.small_data_limit = small;
      const File file = disk_.open(kName, Access::read_only, options);
      const Dataset data = file.root().open_group("data").open_dataset(name);
      const auto all = data.read<T>();
      for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<T>(i));
      std::mt19937 random(17);
      for (int round = 0; round < 60; ++round) {
        const Hyperslab part = test::random_part(kShape, random);
        const test::SelectionModel model(kShape, part);
        const std::vector<T> expected(model.elements.begin(), model.elements.end());
        ASSERT_EQ(read_part<T>(data, part, expected.size()), expected) << round;
      }
    }
  }

  /// Expects h5py to print this about the file, and takes over h5py's changes.
  void expect_python(const std::string& shown, const std::string& expected,
                     const char* mode = "r") {
    const test::TemporaryDirectory directory;
    disk_.save(kName, directory / kName);
    const auto answer =
        run_python(fmt::format("-c 'import h5py\nwith h5py.File(\"{}\", \"{}\") as f: print({})'",
                               directory / kName, mode, shown));
    EXPECT_EQ(answer.text, expected);
    disk_.load(kName, directory / kName);
  }

  test::SoundDisk disk_;
};

INSTANTIATE_TEST_SUITE_P(Formats, ForeignTest, testing::Values("old", "new"),
                         [](const auto& format) { return format.param; });

TEST_P(ForeignTest, Hyperslabs) {
  expect_parts<int>("contiguous");
  expect_parts<int>("big");
  expect_parts<int>("chunked");
  expect_parts<double>("deflate");
  expect_parts<int>("shuffled");
  expect_parts<float>("checked");
  expect_parts<short>("growing");
}

TEST_P(ForeignTest, ChunksAreDescribed) {
  const File file = disk_.open(kName);
  const Dataset growing = file.root().open_dataset("data/growing");
  EXPECT_EQ(growing.dataspace().max_shape(), (Shape{Dataspace::kUnlimited, 40, 7}));
  EXPECT_EQ(growing.chunk_shape(), (Shape{3, 3, 3}));
  EXPECT_EQ(growing.layout(), Layout::chunked);
}

TEST_P(ForeignTest, WhatWasNotWrittenIsFill) {
  const File file = disk_.open(kName);
  const Group data = file.root().open_group("data");
  EXPECT_EQ(data.open_dataset("unwritten").read<int>(), std::vector<int>(4200, 9));
  EXPECT_EQ(data.open_dataset("unwritten chunks").read<int>(), std::vector<int>(4200, 0));
  const auto part = data.open_dataset("part").read<int>();
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 30; ++j)
      for (int k = 0; k < 7; ++k) {
        const int at = (i * 30 + j) * 7 + k;
        const bool written = i >= 5 && i < 10 && j >= 5 && j < 10 && k < 5;
        ASSERT_EQ(part[static_cast<std::size_t>(at)], written ? at : -3);
      }
}

TEST_P(ForeignTest, Links) {
  const File file = disk_.open(kName);
  const Group links = file.root().open_group("links");
  const Dataset target = file.root().open_dataset("data/contiguous");
  for (const char* path :
       {"soft", "hard", "below/group/in", "relative/in", "to group/contiguous", "./soft/"})
    EXPECT_TRUE(links.open_dataset(path).same_object(target)) << path;
  EXPECT_TRUE(links.open_group("chain6").same_object(file.root().open_group("data")));
  std::map<std::string, Link> found;
  for (const Link& link : links.links()) found.emplace(link.name, link);
  EXPECT_EQ(found["soft"].kind, LinkKind::soft);
  EXPECT_EQ(found["soft"].target, "/data/contiguous");
  EXPECT_EQ(found["hard"].kind, LinkKind::hard);
  EXPECT_EQ(found["external"].kind, LinkKind::external);
  EXPECT_EQ(found["external"].target, "/there");
  EXPECT_EQ(found["external"].target_file, "other.h5");
  EXPECT_EQ(links.kind_of(found["soft"]), ObjectKind::dataset);
  for (const char* path : {"dangling", "through data"}) {
    EXPECT_TRUE(links.contains(path));
    EXPECT_EQ(links.kind_of(path), std::nullopt);
    EXPECT_EQ(thrown_by([&] { static_cast<void>(links.open_object(path)); }).code(),
              ErrorCode::not_found);
  }
  for (const char* path : {"loop1", "loop2", "chain0"}) {
    const Error error = thrown_by([&] { static_cast<void>(links.open_object(path)); });
    EXPECT_EQ(error.code(), ErrorCode::not_found) << path;
    EXPECT_NE(std::string(error.what()).find("/links"), std::string::npos) << error.what();
  }
  const Error error = thrown_by([&] { static_cast<void>(links.open_object("external/x")); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_NE(std::string(error.what()).find("\"other.h5\""), std::string::npos) << error.what();
  EXPECT_EQ(links.kind_of("external"), std::nullopt);
}

TEST_P(ForeignTest, Texts) {
  const std::vector<std::string> texts{"", "one", "zwei \xe2\x82\xac", std::string(5000, 'x')};
  const File file = disk_.open(kName);
  const Group group = file.root().open_group("texts");
  EXPECT_EQ(group.open_dataset("variable").read<std::string>(), texts);
  EXPECT_EQ(group.open_dataset("variable").datatype().type_class(), TypeClass::variable_string);
  EXPECT_EQ(group.open_dataset("unwritten").read<std::string>(), std::vector<std::string>(3));
  EXPECT_EQ(group.open_dataset("fixed").read<std::string>(),
            (std::vector<std::string>{"", "one", "two"}));
  EXPECT_EQ(group.attribute("variable").read<std::string>(), std::vector<std::string>{texts[2]});
  EXPECT_EQ(group.attribute("list").read<std::string>(), texts);
  EXPECT_EQ(group.attribute("fixed").read<std::string>(), std::vector<std::string>{"fixed"});
}

TEST_P(ForeignTest, Types) {
  const File file = disk_.open(kName);
  const Group group = file.root().open_group("types");
  EXPECT_EQ(group.kind_of("committed"), ObjectKind::datatype);
  const Datatype committed = group.open_dataset("of committed").datatype();
  EXPECT_EQ(committed,
            Datatype::compound(15, {{"a", 0, Datatype::of<int>()},
                                    {"b", 4, Datatype::floating(8, ByteOrder::big)},
                                    {"c", 12, Datatype::string(3, StringPadding::null_padded)}}));
  EXPECT_EQ(group.attribute("of committed").datatype(), committed);
  EXPECT_EQ(group.open_dataset("enumeration").datatype().describe(),
            "enumeration {one = 1; two = 2; } of uint8 little-endian");
  EXPECT_EQ(group.open_dataset("array").datatype().describe(),
            "array [2, 3] of int32 little-endian");
  EXPECT_EQ(group.open_dataset("opaque").datatype().describe(), "opaque of 5 bytes");
  EXPECT_EQ(group.open_dataset("null").dataspace(), Dataspace::null());
  EXPECT_EQ(group.attribute("null").dataspace(), Dataspace::null());
  EXPECT_EQ(group.open_dataset("scalar").read<double>(), std::vector<double>{2.5});
  EXPECT_EQ(thrown_by([&] { static_cast<void>(group.open_group("committed")); }).code(),
            ErrorCode::invalid_argument);
}

TEST_P(ForeignTest, ManyGroups) {
  for (const LoadPolicy policy : {LoadPolicy::lazy, LoadPolicy::eager}) {
    FileOptions options;
    options.load_policy = policy;
    const File file = disk_.open(kName, Access::read_only, options);
    const Group many = file.root().open_group("many");
    int i = 0;
    for (const Link& link : many.links()) {
      EXPECT_EQ(link.name, fmt::format("group{:04}", i));
      EXPECT_EQ(many.open_group(link).attribute("i").read<long>(), std::vector<long>{i++});
    }
    EXPECT_EQ(i, 1000);
  }
}

TEST_P(ForeignTest, DataIsWrittenInPlace) {
  File file = disk_.open(kName, Access::read_write);
  Dataset data = file.root().open_dataset("data/contiguous");
  data.write(std::vector<int>{-1, -2}, Hyperslab{{0, 0, 1}, {1, 1, 2}});
  file.root()
      .open_dataset("data/big")
      .write_all(std::vector<int>{-5}, Hyperslab{{19, 29, 6}, {1, 1, 1}});
  file.close();
  EXPECT_EQ(file.io_stats().writes, 2U);
  expect_python("f[\"data/contiguous\"][0, 0, :4], f[\"data/big\"][19, 29, 5:]",
                "[ 0 -1 -2  3] [4198   -5]\n");
}

TEST_P(ForeignTest, TheStructureIsChanged) {
  {
    File file = disk_.open(kName, Access::read_write);
    file.root().create_group("new/below").set_attribute("a", 1);
    file.root()
        .open_dataset("data/unwritten")
        .write(std::vector<int>{1, 2}, Hyperslab{{0, 0, 1}, {1, 1, 2}});
    file.root().open_dataset("data/contiguous").set_attribute("a", 2);
    file.root().move("data/big", "links/below/group/big");
    file.root().remove("many/group0007");
    file.close();
  }
  EXPECT_EQ(disk_.open(kName).metadata_report().page_size, 0U) << "one process adds no list";
  expect_python(
      "f[\"new/below\"].attrs[\"a\"], f[\"data/unwritten\"][0, 0, :4], "
      "f[\"data/contiguous\"].attrs[\"a\"], f[\"links/below/group/big\"][0, 0, 5:], "
      "len(f[\"many\"]), sum(g.attrs[\"i\"] for g in f[\"many\"].values())",
      "1 [9 1 2 9] 2 [5 6] 999 499493\n");
}

TEST_P(ForeignTest, AdoptedOnceAndRenewedAfterStock) {
  const auto adopt = [&] {
    File file = disk_.open(kName, Access::read_write);
    const bool had_none = file.adopt();
    file.close();
    return had_none;
  };
  EXPECT_TRUE(adopt());
  const test::Bytes bytes = disk_.bytes(kName);
  EXPECT_FALSE(adopt());
  EXPECT_EQ(disk_.bytes(kName), bytes);
  expect_python("f.create_group(\"by stock\").name", "/by stock\n", "r+");
  EXPECT_TRUE(disk_.open(kName).metadata_report().page_list_stale);
  EXPECT_TRUE(adopt());
  EXPECT_FALSE(disk_.open(kName).metadata_report().page_list_stale);
  expect_python("\"by stock\" in f, f[\"data/contiguous\"][0, 0, :4]", "True [0 1 2 3]\n");
}

}  // namespace
}  // namespace onecast
