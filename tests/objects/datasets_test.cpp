#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "objects/description.hpp"
#include "support/file_name.hpp"
#include "support/pattern.hpp"
#include "support/selection_model.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::expect_as_stock;
using test::pattern;
using test::thrown_by;

using test::kName;

std::vector<int> count_from_zero(std::uint64_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

class DatasetsTest : public testing::Test {
 protected:
  /// Returns the elements of a part, as int.
  static std::vector<int> read_part(const Dataset& data, const Hyperslab& part, std::size_t count) {
    std::vector<int> values(count);
    data.read(std::as_writable_bytes(std::span(values)), part);
    return values;
  }

  test::SoundDisk disk_;
};

TEST_F(DatasetsTest, CompactUpToTheLimitThenContiguous) {
  for (const std::uint64_t limit : {0U, 100U, 4096U, 64'000U}) {
    FileOptions options;
    options.compact_limit = limit;
    File file = disk_.create(kName, options);
    const Datatype byte = Datatype::integer(1, false);
    for (const std::uint64_t size :
         {std::uint64_t{1}, limit - (limit == 0 ? 0 : 1), limit, limit + 1}) {
      const std::string name = fmt::format("of{}", size);
      if (file.root().contains(name)) continue;
      const Dataset data = file.root().create_dataset(
          name, {.type = byte, .space = Shape{size}, .data = pattern(size)});
      const bool is_compact = limit != 0 && size <= limit;
      EXPECT_EQ(data.layout(), is_compact ? Layout::compact : Layout::contiguous) << size;
      file.root().copy(data, "copy " + name);
      EXPECT_EQ(file.root().open_dataset("copy " + name).layout(), data.layout()) << size;
      std::vector<std::byte> read(size);
      data.read(read);
      EXPECT_EQ(read, pattern(size));
    }
    file.close();
    const File again = disk_.open(kName);
    for (const Link& link : again.root().links()) {
      const Dataset data = again.root().open_dataset(link);
      std::vector<std::byte> read(static_cast<std::size_t>(data.element_count()));
      data.read(read);
      EXPECT_EQ(read, pattern(read.size()));
    }
    expect_as_stock(disk_, kName);
  }
}

TEST_F(DatasetsTest, TheLayoutMayBeChosen) {
  File file = disk_.create(kName);
  Group root = file.root();
  const auto small = root.create_dataset("small", {3}, count_from_zero(3), {Layout::contiguous});
  EXPECT_EQ(small.layout(), Layout::contiguous);
  const auto large =
      root.create_dataset("large", {16'000}, count_from_zero(16'000), {Layout::compact});
  EXPECT_EQ(large.layout(), Layout::compact);
  EXPECT_TRUE(large.chunk_shape().empty());
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().open_dataset("small").read<int>(), count_from_zero(3));
  EXPECT_EQ(again.root().open_dataset("large").read<int>(), count_from_zero(16'000));
  expect_as_stock(disk_, kName);
}

TEST_F(DatasetsTest, WithoutDataTheyAreZeros) {
  File file = disk_.create(kName);
  for (const std::uint64_t size : {10U, 5000U, 100'000U})
    file.root().create_dataset(fmt::format("of{}", size), {Datatype::of<int>(), Shape{size}});
  const auto check = [](const File& f) {
    for (const std::uint64_t size : {10U, 5000U, 100'000U})
      EXPECT_EQ(f.root().open_dataset(fmt::format("of{}", size)).read<int>(),
                std::vector<int>(size, 0));
  };
  check(file);
  file.close();
  check(disk_.open(kName));
  expect_as_stock(disk_, kName);
}

TEST_F(DatasetsTest, ScalarNullAndEmpty) {
  File file = disk_.create(kName);
  for (const auto& [suffix, layout] :
       {std::pair{"compact", Layout::compact}, {"contiguous", Layout::contiguous}}) {
    const DatasetOptions options{layout};
    const auto name = [s = suffix](const char* kind) { return fmt::format("{} {}", kind, s); };
    const double value = 2.5;
    Group root = file.root();
    const auto scalar =
        root.create_dataset(name("scalar"), {.type = Datatype::of<double>(),
                                             .space = Dataspace(),
                                             .data = std::as_bytes(std::span(&value, 1)),
                                             .options = options});
    EXPECT_EQ(scalar.read<double>(), std::vector<double>{2.5});
    EXPECT_TRUE(scalar.shape().empty());
    auto null = root.create_dataset(
        name("null"),
        {.type = Datatype::of<int>(), .space = Dataspace::null(), .options = options});
    EXPECT_TRUE(null.read<int>().empty());
    null.write(std::vector<int>{});
    auto empty = root.create_dataset(
        name("empty"), {.type = Datatype::of<int>(), .space = Shape{4, 0, 2}, .options = options});
    EXPECT_TRUE(empty.read_all<int>().empty());
    empty.write_all(std::vector<int>{});
    root.create_dataset(name("deep"), {.type = Datatype::of<int>(),
                                       .space = Shape(32, 1),
                                       .data = pattern(4),
                                       .options = options});
  }
  file.close();
  const File again = disk_.open(kName);
  EXPECT_EQ(again.root().open_dataset("null contiguous").dataspace(), Dataspace::null());
  EXPECT_EQ(again.root().open_dataset("empty compact").shape(), (Shape{4, 0, 2}));
  EXPECT_EQ(again.root().open_dataset("deep contiguous").dataspace().rank(), 32U);
  expect_as_stock(disk_, kName);
}

TEST_F(DatasetsTest, WrittenAgainAndByParts) {
  for (const Layout layout : {Layout::compact, Layout::contiguous}) {
    File file = disk_.create(kName);
    Dataset data = file.root().create_dataset("data", {6, 7}, std::vector<int>(42, -1), {layout});
    file.close();
    std::vector<int> expected(42, -1);
    std::mt19937 random(11);
    for (int round = 0; round < 40; ++round) {
      file = disk_.open(kName, Access::read_write);
      data = file.root().open_dataset("data");
      const Hyperslab part = test::random_part({6, 7}, random);
      const test::SelectionModel model({6, 7}, part);
      std::vector<int> values;
      for (const std::uint64_t e : model.elements) {
        values.push_back(static_cast<int>(e) + 100 * round);
        expected[static_cast<std::size_t>(e)] = values.back();
      }
      if (round % 3 == 0)
        data.write(values, part);
      else if (round % 3 == 1)
        data.write_all(values, part);
      else
        data.write_equal(std::as_bytes(std::span(values)), part);
      EXPECT_EQ(read_part(data, part, values.size()), values);
      EXPECT_EQ(data.read<int>(), expected);
      file.close();
      EXPECT_EQ(disk_.open(kName).root().open_dataset("data").read<int>(), expected);
    }
    expect_as_stock(disk_, kName);
  }
}

TEST_F(DatasetsTest, RandomPartsAreReadAsTheModelSays) {
  const Shape shape{5, 6, 7, 3};
  File file = disk_.create(kName);
  for (const auto& [name, layout] :
       {std::pair{"compact", Layout::compact}, {"contiguous", Layout::contiguous}})
    file.root().create_dataset(name, shape, count_from_zero(630), {layout});
  file.close();
  FileOptions from_file;
  from_file.small_data_limit = 0;
  for (const FileOptions& options : {FileOptions{}, from_file}) {
    file = disk_.open(kName, Access::read_only, options);
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
      const Hyperslab part = test::random_part(shape, random);
      const test::SelectionModel model(shape, part);
      const std::vector<int> expected(model.elements.begin(), model.elements.end());
      EXPECT_EQ(read_part(file.root().open_dataset("compact"), part, expected.size()), expected);
      const std::uint64_t reads = file.io_stats().reads;
      EXPECT_EQ(read_part(file.root().open_dataset("contiguous"), part, expected.size()), expected);
      // Each run takes at most one read.
      EXPECT_LE(file.io_stats().reads - reads, model.runs().size());
    }
  }
}

TEST_F(DatasetsTest, BytesAreSwappedOnTheWay) {
  File file = disk_.create(kName);
  const Datatype big = Datatype::integer(4, true, ByteOrder::big);
  for (const auto& [name, layout] :
       {std::pair{"compact", Layout::compact}, {"contiguous", Layout::contiguous}}) {
    Dataset data =
        file.root().create_dataset(name, {.type = big, .space = Shape{3}, .options = {layout}});
    data.write(std::vector<int>{1, -2, 0x01020304});
    EXPECT_EQ(data.read<int>(), (std::vector<int>{1, -2, 0x01020304}));
    std::vector<std::byte> stored(12);
    data.read(stored);
    EXPECT_EQ(std::to_integer<int>(stored[3]), 1);
    EXPECT_EQ(std::to_integer<int>(stored[8]), 1);
    data.write_all(std::vector<int>{5}, Hyperslab{{1}, {1}});
    EXPECT_EQ(data.read_all<int>(), (std::vector<int>{1, 5, 0x01020304}));
  }
  file.close();
  expect_as_stock(disk_, kName);
}

TEST_F(DatasetsTest, CountsOfCalls) {
  File file = disk_.create(kName);
  const std::uint64_t writes = file.io_stats().writes;
  Dataset data = file.root().create_dataset("data", {10'000}, count_from_zero(10'000));
  EXPECT_EQ(file.io_stats().writes - writes, 1U)
      << "data of a new dataset goes to the file at once";
  data.write(std::vector<int>(100, 7), Hyperslab{{0}, {100}, {100}, {}});
  EXPECT_EQ(file.io_stats().writes - writes, 2U) << "pieces near each other go together";
  data.write(std::vector<int>{}, Hyperslab{{0}, {0}});
  file.close();
  EXPECT_EQ(file.io_stats().writes - writes, 5U)
      << "page 0, its first bytes last, and the last byte of the file";
  file = disk_.open(kName, Access::read_write);
  file.root().open_dataset("data").write(std::vector<int>{1}, Hyperslab{{5}, {1}});
  file.close();
  EXPECT_EQ(file.io_stats().writes, 1U) << "no metadata changed";
  EXPECT_EQ(disk_.open(kName).root().open_dataset("data").read<int>()[5], 1);
}

TEST_F(DatasetsTest, RefusedCallsSayWhy) {
  File file = disk_.create(kName);
  Group root = file.root();
  Dataset data = root.create_dataset("data", {4}, count_from_zero(4));
  file.flush();
  const std::uint64_t writes = file.io_stats().writes;
  const Datatype type = Datatype::of<int>();
  const auto create = [&](const Dataspace& space, std::span<const std::byte> bytes = {},
                          DatasetOptions options = {}) {
    return thrown_by([&] {
      root.create_dataset("new", {.type = type, .space = space, .data = bytes, .options = options});
    });
  };
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62U;
  const std::pair<Error, const char*> refused[] = {
      {create(Shape(33, 1)), "32 dimensions"},
      {create(Dataspace(Shape{1}, Shape{2})), "only chunked datasets can grow"},
      {create(Shape{kHuge}), "too large"},
      {create(Shape{kHuge, 4}), "more than 2^64 elements"},
      {create(Shape{2}, pattern(7)), "8 bytes expected, 7 given"},
      {create(Shape{2}, {}, {Layout::chunked}), "chunk: 1 dimensions expected"},
      {create(Shape{2}, {}, {.external = {{"a.bin", 0, 7}}}), "room for 7 bytes, 8 are needed"},
      {create(Shape{2}, {}, {.layout = Layout::compact, .external = {{"a.bin", 0, 8}}}),
       "only contiguous data can be in other files"},
      {create(Shape{2}, pattern(8), {Layout::virtual_dataset}), "those of its sources"},
      {create(Shape{16'001}, {}, {Layout::compact}), "too many for compact storage"},
      {thrown_by([&] { data.write(std::vector<int>{1, 2, 3}); }),
       "4 elements of 4 bytes expected, 12 bytes given"},
      {thrown_by([&] { data.write(pattern(16), {.memory_type = Datatype::string(4)}); }),
       "to int32"},
      {thrown_by([&] {
         std::vector<std::byte> out(16);
         data.read(out, {.memory_type = Datatype::opaque(4)});
       }),
       "to opaque of 4 bytes"},
      {thrown_by([&] { data.write_all(std::vector<int>{1}, Hyperslab{{4}, {1}}); }),
       "leaves the size 4"},
      {thrown_by([&] { data.write_equal(pattern(4), Hyperslab{{0, 0}, {1, 1}}); }),
       "must have 1 dimensions"},
      {thrown_by([&] { static_cast<void>(data.read<std::string>()); }), "not strings"},
  };
  for (const auto& [error, text] : refused) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << error.what() << "\nexpected: " << text;
  }
  EXPECT_EQ(std::string(refused[4].first.what()).rfind("a.h5: /: dataset \"new\": ", 0), 0U)
      << refused[4].first.what();
  EXPECT_EQ(std::string(refused[10].first.what()).rfind("a.h5: /data: ", 0), 0U)
      << refused[10].first.what();
  EXPECT_FALSE(root.contains("new"));
  file.close();
  EXPECT_EQ(file.io_stats().writes, writes);
}

}  // namespace
}  // namespace onecast
