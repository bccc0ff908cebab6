// Writes of elements that lie in several pieces of memory
#include "onecast/objects/gathered_write.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "onecast/onecast.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

using Values = std::vector<std::int32_t>;
using Part = std::span<const std::byte>;

class GatheredWriteTest : public testing::Test {
 protected:
  static Values count_up(std::size_t size) {
    Values values(size);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }
  /// Cuts the values at these bytes.
  static std::vector<Part> cut(const Values& values, const std::vector<std::size_t>& at) {
    const Part all = std::as_bytes(std::span(values));
    std::vector<Part> parts;
    std::size_t before = 0;
    for (const std::size_t end : at) {
      parts.push_back(all.subspan(before, end - before));
      before = end;
    }
    parts.push_back(all.subspan(before));
    return parts;
  }

  SoundDirectory folder_;
};

TEST_F(GatheredWriteTest, IsAWrite) {
  const Values values = count_up(50);
  const auto parts = cut(values, {0, 3, 3, 41, 90, 150});
  for (const DatasetOptions& options :
       {DatasetOptions{.layout = Layout::contiguous}, DatasetOptions{.chunk = {16}},
        DatasetOptions{.chunk = {16}, .filters = {Filter::deflate(1)}}}) {
    File file = File::create(folder_ / "a.h5");
    Dataset x = file.root().create_dataset(
        "x",
        {.type = Datatype::of<std::int32_t>(), .space = Dataspace(Shape{70}), .options = options});
    write_gathered(x, 9, parts);
    Values expected(70);
    std::copy(values.begin(), values.end(), expected.begin() + 9);
    EXPECT_EQ(x.read<std::int32_t>(), expected);
    file.close();
    EXPECT_EQ(File::open(folder_ / "a.h5").root().open_dataset("x").read<std::int32_t>(), expected);
  }
}

TEST_F(GatheredWriteTest, GoesToAllocatedChunksByOneCall) {
  const Values values = count_up(50);
  File file = File::create(folder_ / "a.h5");
  Dataset x = file.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                               .space = Dataspace(Shape{70}),
                                               .options = {.chunk = {16}}});
  std::vector<NewChunk> places;
  for (std::uint64_t at = 0; at < 70; at += 16) places.push_back({.start = {at}});
  allocate_chunks(x, places);
  const IoStats before = file.io_stats();
  write_gathered(x, 9, cut(values, {3, 41, 90, 150}));
  const IoStats after = file.io_stats();
  EXPECT_EQ(after.writes - before.writes, 1U);
  EXPECT_EQ(after.bytes_written - before.bytes_written, 200U);
  Values expected(70);
  std::copy(values.begin(), values.end(), expected.begin() + 9);
  EXPECT_EQ(x.read<std::int32_t>(), expected);
  // Parts that are adjacent in the file are read by one call, too.
  EXPECT_EQ(file.io_stats().reads - after.reads, 1U);
  file.close();
}

TEST_F(GatheredWriteTest, PlacesGoOnWhereTheFileFlushesByItself) {
  File file = File::create(folder_ / "a.h5", {.metadata_budget = 65536});
  Group root = file.root();
  root.create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                            .space = Dataspace(Shape{1}),
                            .options = {.chunk = {1}}});
  file.flush();
  root.remove("x");
  Dataset x = root.create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                        .space = Dataspace(Shape{2}, Shape{Dataspace::kUnlimited}),
                                        .options = {.chunk = {2}}});
  constexpr std::uint64_t kCount = 4000;
  for (std::uint64_t at = 0; at < kCount; at += 2) {
    if (at != 0) x.resize({at + 2});
    allocate_chunks(x, std::vector<NewChunk>{{.start = {at}, .is_whole = true}});
    const Values values{static_cast<std::int32_t>(at + 1), static_cast<std::int32_t>(at + 2)};
    write_allocated_chunk(x, {at}, std::as_bytes(std::span(values)));
  }
  EXPECT_EQ(x.read<std::int32_t>(), count_up(kCount));
  file.close();
}

TEST_F(GatheredWriteTest, RefusesWhatDoesNotFit) {
  const Values values = count_up(10);
  File file = File::create(folder_ / "a.h5");
  const auto type = Datatype::of<std::int32_t>();
  Dataset x = file.root().create_dataset(
      "x", {.type = type, .space = Dataspace(Shape{10}), .options = {.chunk = {4}}});
  Dataset flat = file.root().create_dataset("flat", {type, Dataspace(Shape{2, 5})});
  const auto code = [](Dataset& d, std::uint64_t first, const std::vector<Part>& parts) {
    return thrown_by([&] { write_gathered(d, first, parts); }).code();
  };
  EXPECT_EQ(code(x, 1, cut(values, {7})), ErrorCode::invalid_argument);
  EXPECT_EQ(code(x, 11, {}), ErrorCode::invalid_argument);
  EXPECT_EQ(code(flat, 0, cut(values, {7})), ErrorCode::invalid_argument);
  auto parts = cut(values, {7});
  parts.pop_back();
  EXPECT_EQ(code(x, 0, parts), ErrorCode::invalid_argument);
  write_gathered(x, 10, {});
  file.close();
}

}  // namespace
}  // namespace onecast::test
