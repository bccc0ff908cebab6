#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "objects/description.hpp"
#include "onecast/objects/details.hpp"
#include "support/file_name.hpp"
#include "support/pattern.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::expect_as_stock;
using test::pattern;
using test::thrown_by;

using test::kName;

class AttributesTest : public testing::Test {
 protected:
  using Model = std::map<std::string, test::Bytes>;

  static void set(Object object, Model& model, const std::string& name, const test::Bytes& value) {
    object.set_attribute(name, Datatype::integer(1, false), Shape{value.size()}, value);
    model[name] = value;
  }
  static void expect(const Object& object, const Model& model) {
    EXPECT_EQ(object.attributes().size(), model.size());
    for (const auto& [name, value] : model) {
      ASSERT_TRUE(object.has_attribute(name)) << name;
      const auto bytes = object.attribute(name).bytes();
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), value.begin(), value.end())) << name;
    }
  }
  /// Expects equal attributes in memory and on disk.
  void close(File& file, const Model& model) {
    expect(file.root(), model);
    file.flush();
    expect(file.root(), model);
    file.close();
    expect(disk_.open(kName).root(), model);
    expect(disk_.open(kName, Access::read_write).root(), model);
  }

  test::SoundDisk disk_;
};

TEST_F(AttributesTest, CompactUpToEightDenseFromNineAndBack) {
  File file = disk_.create(kName);
  Model model;
  const auto small = [&](int i) {
    set(file.root(), model, fmt::format("a{}", i), pattern(10, static_cast<unsigned>(i)));
  };
  const auto drop = [&](const std::string& name) {
    file.root().remove_attribute(name);
    model.erase(name);
  };
  for (int i = 0; i < 8; ++i) small(i);
  close(file, model);
  expect_as_stock(disk_, kName);
  for (int round = 0; round < 2; ++round) {
    file = disk_.open(kName, Access::read_write);
    small(8);
    close(file, model);
    expect_as_stock(disk_, kName);
    file = disk_.open(kName, Access::read_write);
    drop("a8");
    close(file, model);
    expect_as_stock(disk_, kName);
  }
  file = disk_.open(kName, Access::read_write);
  for (int i = 0; i < 8; ++i) drop(fmt::format("a{}", i));
  close(file, model);
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, ListedByName) {
  File file = disk_.create(kName);
  Group root = file.root();
  for (const char* name : {"z", "a", "m"}) root.set_attribute(name, 1);
  root.set_attribute("a", 2);
  root.set_attribute("z", std::string("longer"));
  file.close();
  std::string order;
  const File again = disk_.open(kName);
  for (const Attribute& a : again.root().attributes()) order += a.name();
  EXPECT_EQ(order, "amz");
}

TEST_F(AttributesTest, Renamed) {
  for (const int count : {3, 12}) {  // compact, then dense
    File file = disk_.create(kName);
    Model model;
    const auto rename = [&](const std::string& from, const std::string& to) {
      file.root().rename_attribute(from, to);
      auto moved = model.extract(from);
      moved.key() = to;
      model.insert(std::move(moved));
    };
    for (int i = 0; i < count; ++i)
      set(file.root(), model, fmt::format("a{}", i), pattern(10, static_cast<unsigned>(i)));
    rename("a1", "z");
    close(file, model);
    expect_as_stock(disk_, kName);
    file = disk_.open(kName, Access::read_write);
    const auto refused = [&](const char* from, const char* to) {
      return thrown_by([&] { file.root().rename_attribute(from, to); }).code();
    };
    EXPECT_EQ(refused("a1", "b"), ErrorCode::not_found);
    EXPECT_EQ(refused("a0", "z"), ErrorCode::already_exists);
    EXPECT_EQ(refused("z", "z"), ErrorCode::already_exists);
    EXPECT_EQ(refused("a0", ""), ErrorCode::invalid_argument);
    rename("z", "a much longer name than before");
    rename("a0", "ä");
    rename("a2", "a0");
    close(file, model);
    expect_as_stock(disk_, kName);
  }
}

TEST_F(AttributesTest, RenamedOnesKeepTheirOrderAndTheirType) {
  File file = disk_.create(kName);
  const Object type = file.root().create_datatype("type", Datatype::of<int>());
  Group group = file.root().create_group("g", {.attribute_order = true});
  const int value = 7;
  group.set_attribute("first", type, Dataspace(), std::as_bytes(std::span(&value, 1)));
  group.set_attribute("second", 2);
  group.rename_attribute("first", "still first");
  file.flush();
  group.rename_attribute("still first", "z");
  file.close();
  file = disk_.open(kName);
  const auto all = file.root().open_group("g").attributes(Order::creation);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name(), "z");
  EXPECT_EQ(all[0].read<int>(), std::vector{7});
  EXPECT_TRUE(committed_type_of(file.root().open_group("g"), "z").has_value());
}

TEST_F(AttributesTest, CommittedTypesHaveAddressesBeforeTheFirstFlush) {
  File file = disk_.create(kName);
  const Object type = file.root().create_datatype("t", Datatype::of<int>());
  const int value = 7;
  file.root().set_attribute("a", type, Dataspace(), std::as_bytes(std::span(&value, 1)));
  const Dataset dataset = file.root().create_dataset(
      "x", {.type = Datatype::of<int>(), .space = Shape{2}, .options = {.committed_type = type}});
  const auto address = type.reference().address;
  EXPECT_EQ(committed_type_of(file.root(), "a"), address);
  EXPECT_EQ(details_of(dataset).committed_type, address);
  file.close();
  file = disk_.open(kName);
  EXPECT_EQ(details_of(file.root().open_dataset("x")).committed_type, address);
  EXPECT_EQ(file.root().open_object("t").reference().address, address);
}

TEST_F(AttributesTest, ReplacedBySameAndOtherSizes) {
  File file = disk_.create(kName);
  Model model;
  for (const std::size_t size : {10U, 10U, 3U, 100U, 100U, 0U, 5000U, 1U}) {
    set(file.root(), model, "value", pattern(size, size));
    expect(file.root(), model);
    set(file.root(), model, "other", pattern(4, size));
    file.flush();
    expect(disk_.open(kName).root(), model);
  }
  // First the type changes and keeps its size, then the shape changes.
  Group root = file.root();
  root.set_attribute("value", 1.5F);
  EXPECT_EQ(root.attribute("value").read<float>(), std::vector<float>{1.5F});
  root.set_attribute("value", 7);
  EXPECT_EQ(root.attribute("value").read<int>(), std::vector<int>{7});
  EXPECT_EQ(root.attribute("value").dataspace().kind(), Dataspace::Kind::scalar);
  root.set_attribute("value", root.attribute("other").datatype(), Shape{2, 2},
                     root.attribute("other").bytes());
  EXPECT_EQ(root.attribute("value").dataspace().shape(), (Shape{2, 2}));
  file.close();
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, LargeOnes) {
  File file = disk_.create(kName);
  Model model;
  // The sizes are around the limits of a page, of a header message and of 64 KiB.
  for (const std::size_t size :
       {4095U, 4096U, 63'900U, 64'000U, 65'535U, 65'536U, 200'000U, 3'000'000U})
    set(file.root(), model, fmt::format("of{}", size), pattern(size, size));
  close(file, model);
  expect_as_stock(disk_, kName);
  file = disk_.open(kName, Access::read_write);
  set(file.root(), model, "of3000000", pattern(70'000));
  set(file.root(), model, "of4095", pattern(1'000'000));
  file.root().remove_attribute("of65536");
  model.erase("of65536");
  close(file, model);
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, OneLargeAloneIsDense) {
  for (const std::size_t size : {63'000U, 64'000U, 66'000U}) {
    File file = disk_.create(kName);
    Model model;
    set(file.root(), model, "alone", pattern(size));
    close(file, model);
    expect_as_stock(disk_, kName);
  }
}

TEST_F(AttributesTest, RandomChangesOverManyFlushes) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return random() % n; };
  File file = disk_.create(kName);
  Model model;
  for (int round = 0; round < 120; ++round) {
    const std::size_t changes = 1 + below(6);
    for (std::size_t i = 0; i < changes; ++i) {
      const std::string name = fmt::format("attribute{}", below(14));
      if (model.contains(name) && below(2) == 0) {
        file.root().remove_attribute(name);
        model.erase(name);
      } else {
        const std::size_t size = below(10) == 0 ? below(80'000) : below(60);
        set(file.root(), model, name, pattern(size, random()));
      }
    }
    if (below(3) == 0) {
      close(file, model);
      file = disk_.open(kName, Access::read_write);
    } else {
      file.flush();
    }
    ASSERT_FALSE(HasFailure()) << round;
  }
  close(file, model);
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, FoundWhileManyComeAndGo) {
  for (const unsigned count : {5U, 40U, 400U}) {
    std::mt19937 random(count);
    File file = disk_.create(kName);
    Model model;
    for (unsigned step = 0; step < 10 * count; ++step) {
      const std::string name = fmt::format("a{}", random() % count);
      ASSERT_EQ(file.root().has_attribute(name), model.contains(name));
      if (random() % 3 != 0) {
        set(file.root(), model, name, pattern(4, step));
      } else if (model.erase(name) != 0) {
        file.root().remove_attribute(name);
      }
    }
    close(file, model);
  }
}

TEST_F(AttributesTest, ManyOnOneObject) {
  File file = disk_.create(kName);
  Model model;
  Group group = file.root().create_group("group");
  for (unsigned i = 0; i < 3000; ++i)
    set(group, model, fmt::format("attribute{}", i), pattern(8, i));
  file.close();
  const File again = disk_.open(kName);
  expect(again.root().open_group("group"), model);
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, TextAndNumbers) {
  File file = disk_.create(kName);
  Group root = file.root();
  root.set_attribute("text", "some text");
  root.set_attribute("empty", "");
  root.set_attribute("\xc3\xa4", std::string_view("\xe2\x82\xac"));
  root.set_attribute("u8", std::uint8_t{255});
  root.set_attribute("i64", std::int64_t{-5});
  root.set_attribute("f64", 0.1);
  const auto check = [](const Group& g) {
    EXPECT_EQ(g.attribute("text").read<std::string>(), std::vector<std::string>{"some text"});
    EXPECT_EQ(g.attribute("empty").read<std::string>(), std::vector<std::string>{""});
    EXPECT_EQ(g.attribute("\xc3\xa4").read<std::string>(),
              std::vector<std::string>{"\xe2\x82\xac"});
    EXPECT_EQ(g.attribute("text").datatype(),
              Datatype::string(9, StringPadding::null_padded, CharacterSet::utf8));
    EXPECT_EQ(g.attribute("u8").read<std::uint8_t>(), std::vector<std::uint8_t>{255});
    EXPECT_EQ(g.attribute("i64").read<std::int64_t>(), std::vector<std::int64_t>{-5});
    EXPECT_EQ(g.attribute("f64").read<double>(), std::vector<double>{0.1});
    EXPECT_EQ(g.attributes().size(), 6U);
  };
  check(root);
  file.close();
  check(disk_.open(kName).root());
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, NullEmptyAndManyDimensions) {
  File file = disk_.create(kName);
  Group root = file.root();
  const Datatype type = Datatype::of<int>();
  root.set_attribute("null", type, Dataspace::null(), {});
  root.set_attribute("empty", type, Shape{3, 0}, {});
  root.set_attribute("deep", type, Shape(32, 1), pattern(4));
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().attribute("null").dataspace(), Dataspace::null());
  EXPECT_TRUE(again.root().attribute("null").read<int>().empty());
  EXPECT_EQ(again.root().attribute("empty").dataspace().shape(), (Shape{3, 0}));
  EXPECT_EQ(again.root().attribute("deep").dataspace().rank(), 32U);
  expect_as_stock(disk_, kName);
}

TEST_F(AttributesTest, RefusedOnesChangeNothing) {
  File file = disk_.create(kName);
  file.root().create_group("group").set_attribute("here", 1);
  file.close();
  file = disk_.open(kName, Access::read_write);
  Group group = file.root().open_group("group");
  const Datatype type = Datatype::of<int>();
  const auto code_of = [&](auto&& action, const char* text) {
    const Error error = thrown_by(action);
    EXPECT_EQ(std::string(error.what()).rfind("a.h5: /group: ", 0), 0U) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    return error.code();
  };
  constexpr ErrorCode kInvalid = ErrorCode::invalid_argument;
  EXPECT_EQ(code_of([&] { group.set_attribute("", 1); }, "attribute name"), kInvalid);
  EXPECT_EQ(code_of([&] { group.set_attribute(std::string(32'001, 'n'), 1); }, "attribute name"),
            kInvalid);
  EXPECT_EQ(code_of([&] { group.set_attribute(std::string_view("a\0b", 3), 1); }, "attribute name"),
            kInvalid);
  EXPECT_EQ(code_of([&] { group.set_attribute("new", type, Shape{2}, pattern(7)); },
                    "attribute \"new\": 2 elements of 4 bytes expected, 7 bytes given"),
            kInvalid);
  EXPECT_EQ(code_of([&] { group.set_attribute("new", type, Dataspace::null(), pattern(4)); },
                    "0 elements"),
            kInvalid);
  EXPECT_EQ(
      code_of([&] { group.set_attribute("new", type, Shape(33, 1), pattern(4)); }, "32 dimensions"),
      kInvalid);
  EXPECT_EQ(code_of([&] { group.remove_attribute("new"); }, "attribute \"new\""),
            ErrorCode::not_found);
  EXPECT_EQ(code_of([&] { static_cast<void>(group.attribute("new")); }, "attribute \"new\""),
            ErrorCode::not_found);
  std::byte four[4];
  EXPECT_EQ(code_of([&] { group.attribute("here").read(four, Datatype::string(4)); },
                    "no conversion from int32 little-endian to string of 4 bytes"),
            kInvalid);
  EXPECT_EQ(code_of([&] { group.attribute("here").read(four, Datatype::of<double>()); },
                    "1 elements of 8 bytes expected, 4 bytes given"),
            kInvalid);
  EXPECT_EQ(group.attribute("here").read<double>(), std::vector<double>{1});
  EXPECT_EQ(code_of([&] { static_cast<void>(group.attribute("here").read<std::string>()); },
                    "not strings"),
            kInvalid);
  EXPECT_FALSE(group.find_attribute("new").has_value());
  file.close();
  EXPECT_EQ(file.io_stats().writes, 0U);
}

}  // namespace
}  // namespace onecast
