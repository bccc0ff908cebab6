// Chunked datasets are created, written and resized, and read before and after a flush, by Onecast
// and by h5py.
#include <cstring>
#include <fstream>
#include <numeric>

#include "objects/chunked_model.hpp"
#include "support/python.hpp"
#include "support/sound_files.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using namespace onecast::test;

const Datatype kInt32 = Datatype::of<std::int32_t>();
constexpr std::uint64_t kUnlimited = Dataspace::kUnlimited;

std::vector<std::int32_t> count_up(std::uint64_t count, std::int32_t first = 0) {
  std::vector<std::int32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class ChunkedWriteTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name = "a.h5") const {
    return (directory_.path() / name).string();
  }

  /// Returns what h5py finds: "name shape values" for each dataset.
  [[nodiscard]] static std::string seen_by_h5py(const std::string& file) {
    return run_script(__FILE__, "show_datasets.py", "'" + file + "'").text;
  }
  [[nodiscard]] static std::string shown(const std::string& name, const ChunkedModel& model) {
    return fmt::format("{} ({}) {}\n", name, fmt::join(model.shape(), ", "),
                       fmt::join(model.read(model.all()), " "));
  }

  SoundDirectory directory_;
};

struct FilterCase {
  const char* name;
  std::vector<Filter> filters;
};
const std::vector<FilterCase>& cases() {
  static const std::vector<FilterCase> all{
      {"plain", {}},
      {"deflate", {Filter::deflate(4)}},
      {"shuffled", {Filter::shuffle(), Filter::deflate(1), Filter::fletcher32()}}};
  return all;
}

TEST_F(ChunkedWriteTest, WritesReadBackBeforeAndAfterAFlush) {
  for (const FilterCase& c : cases()) {
    SCOPED_TRACE(c.name);
    File file = File::create(path());
    Dataset data =
        file.root().create_dataset("d", {.type = kInt32,
                                         .space = Shape{10, 7},
                                         .options = {.chunk = {4, 3}, .filters = c.filters}});
    EXPECT_EQ(data.layout(), Layout::chunked);
    EXPECT_EQ(data.read<std::int32_t>(), std::vector<std::int32_t>(70));
    const auto values = count_up(70);
    data.write(values);
    EXPECT_EQ(data.read<std::int32_t>(), values);
    file.flush();
    EXPECT_EQ(data.read<std::int32_t>(), values);
    file.close();
    const File again = File::open(path());
    EXPECT_EQ(again.root().open_dataset("d").read<std::int32_t>(), values);
  }
}

TEST_F(ChunkedWriteTest, RandomWritesAndResizesAgreeWithAModel) {
  const bool with_h5py = has_h5py();
  for (const std::uint64_t cache : {0U, 200U, 1U << 20U}) {
    for (const FilterCase& c : cases()) {
      for (unsigned seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(fmt::format("{}, seed {}, cache {}", c.name, seed, cache));
        std::mt19937 random(seed);
        const FileOptions options{.chunk_cache_bytes = cache};
        File file = File::create(path(), options);
        const std::size_t rank = 1 + seed % 3;
        Shape shape, chunk;
        for (std::size_t d = 0; d < rank; ++d) {
          shape.push_back(random() % 12);
          chunk.push_back(1 + random() % 5);
        }
        ChunkedModel model(shape, -7);
        Dataset data = file.root().create_dataset(
            "d", {.type = kInt32,
                  .space = Dataspace(shape, Shape(rank, kUnlimited)),
                  .options = {.chunk = chunk, .filters = c.filters, .fill_value = bytes_of(-7)}});
        for (int step = 0; step < 40; ++step) {
          switch (random() % 8) {
            case 0:
              file.flush();
              break;
            case 1: {
              for (std::uint64_t& n : shape)
                if (random() % 2 == 0) n = random() % 14;
              data.resize(shape);
              model.resize(shape);
              break;
            }
            case 2:
              if (random() % 3 != 0) break;
              file.close();
              file = File::open(path(), Access::read_write, options);
              data = file.root().open_dataset("d");
              break;
            default: {
              const Hyperslab part = model.some_part(random);
              std::vector<std::int32_t> values(count_of(part));
              for (auto& v : values) v = static_cast<std::int32_t>(random() % 1000);
              if (random() % 2 == 0)
                data.write(values, part);
              else
                data.write_equal(values, part);
              model.write(part, values);
            }
          }
          ASSERT_EQ(data.shape(), model.shape());
          const Hyperslab part = random() % 2 == 0 ? model.all() : model.some_part(random);
          ASSERT_EQ(read_int32(data, part), model.read(part)) << "step " << step;
        }
        file.close();
        const File again = File::open(path());
        const Dataset there = again.root().open_dataset("d");
        ASSERT_EQ(read_int32(there, model.all()), model.read(model.all()));
        if (with_h5py && cache == 200) {
          ASSERT_EQ(seen_by_h5py(path()), shown("d", model));
        }
      }
    }
  }
}

TEST_F(ChunkedWriteTest, ManyChunksMakeATreeOfSeveralLevels) {
  ONECAST_NEEDS_H5PY();
  for (const std::uint64_t chunks : {1U, 64U, 65U, 4096U, 4097U, 10000U}) {
    File file = File::create(path());
    Dataset data = file.root().create_dataset(
        "d", {.type = kInt32, .space = Shape{chunks * 2}, .options = {.chunk = {2}}});
    ChunkedModel model({chunks * 2}, 0);
    const auto values = count_up(chunks * 2);
    data.write(values);
    file.close();
    const File again = File::open(path());
    EXPECT_EQ(again.root().open_dataset("d").read<std::int32_t>(), values);
    std::string expected = fmt::format("d ({}) {}\n", chunks * 2, fmt::join(values, " "));
    EXPECT_EQ(seen_by_h5py(path()), expected);
  }
}

TEST_F(ChunkedWriteTest, SpaceIsUsedAgain) {
  File file = File::create(path());
  Dataset data = file.root().create_dataset(
      "d", {.type = kInt32,
            .space = Dataspace({100'000}, {kUnlimited}),
            .options = {.chunk = {1000}, .filters = {Filter::shuffle(), Filter::deflate(1)}}});
  std::uint64_t size = 0;
  for (int i = 0; i < 30; ++i) {
    data.write(count_up(100'000, i));
    file.flush();
    if (i == 2) size = file.metadata_report().file_size;
  }
  EXPECT_LE(file.metadata_report().file_size, size + size / 10);
  data.resize({0});
  file.flush();
  data.resize({100'000});
  data.write(count_up(100'000, 5));
  file.flush();
  EXPECT_LE(file.metadata_report().file_size, size + size / 10);
}

TEST_F(ChunkedWriteTest, StockFilesOfOtherFormsAreWrittenInPlace) {
  ONECAST_NEEDS_H5PY();
  const PythonAnswer made = run_script(__FILE__, "make_chunked.py", "'" + path() + "'");
  ASSERT_EQ(made.status, 0) << made.text;
  File file = File::open(path(), Access::read_write);
  for (const Link& link : file.root().links()) {
    Dataset data = file.root().open_dataset(link);
    ChunkedModel model(data.shape(), 0);
    model.write(model.all(), read_int32(data, model.all()));
    const Hyperslab part{{1, 2}, {3, 4}};
    const auto values = count_up(12, 500);
    data.write(values, part);
    model.write(part, values);
    EXPECT_EQ(read_int32(data, model.all()), model.read(model.all())) << link.name;
  }
  file.close();
}

TEST_F(ChunkedWriteTest, WhatIsWrongIsRefused) {
  File file = File::create(path());
  Group root = file.root();
  const auto refused = [&](const Dataspace& space, const DatasetOptions& options,
                           ErrorCode code = ErrorCode::invalid_argument) {
    const Error error = thrown_by(
        [&] { root.create_dataset("x", {.type = kInt32, .space = space, .options = options}); });
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_FALSE(root.contains("x"));
  };
  refused(Shape{4}, {.chunk = {2, 2}});
  refused(Shape{4}, {.chunk = {0}});
  refused(Shape{4}, {.chunk = {5}});
  refused(Dataspace(), {.chunk = {1}});
  refused(Shape{4}, {.filters = {Filter::shuffle()}});
  refused(Dataspace({4}, {8}), {});
  refused(Shape{4}, {.layout = Layout::chunked});
  refused(Shape{4}, {.layout = Layout::compact, .chunk = {2}});
  refused(Shape{1ULL << 33U}, {.chunk = {1ULL << 31U}});
  refused(Shape{4}, {.chunk = {2}, .fill_value = std::vector<std::byte>(3)});
  Dataset data = root.create_dataset(
      "d", {.type = kInt32, .space = Dataspace({4}, {8}), .options = {.chunk = {2}}});
  for (const Shape& shape : {Shape{9}, Shape{1, 1}, Shape{}})
    EXPECT_EQ(thrown_by([&] { data.resize(shape); }).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(data.shape(), Shape{4});
  Dataset contiguous = root.create_dataset("c", {kInt32, Shape{4}});
  EXPECT_EQ(thrown_by([&] { contiguous.resize({3}); }).code(), ErrorCode::invalid_argument);
}

/// Appending costs no more than writing: neither whole chunks nor parts are written twice.
TEST_F(ChunkedWriteTest, AppendedElementsAreWrittenOnce) {
  File file = File::create(path());
  Dataset data = file.root().create_dataset(
      "d",
      {.type = kInt32, .space = Dataspace({0}, {kUnlimited}), .options = {.chunk = {100'000}}});
  std::vector<std::int32_t> expected;
  std::uint64_t written = file.io_stats().bytes_written;
  for (const std::uint64_t count : {70'000U, 250'000U, 1U, 79'999U, 300'000U, 20'000U}) {
    const std::uint64_t before = expected.size();
    const auto part = count_up(count, static_cast<std::int32_t>(before));
    expected.insert(expected.end(), part.begin(), part.end());
    data.resize({expected.size()});
    data.write(part, data.rows(before, expected.size()));
    written += count * sizeof(std::int32_t);
    EXPECT_EQ(file.io_stats().bytes_written, written);
  }
  EXPECT_EQ(data.read<std::int32_t>(), expected);
  file.close();
  file = File::open(path());
  EXPECT_EQ(file.root().open_dataset("d").read<std::int32_t>(), expected);
}

/// The rest of a partly written chunk is filled, even where the file held other data before.
TEST_F(ChunkedWriteTest, RestsOfNewChunksHaveTheFillValue) {
  for (const bool used : {false, true})
    for (const std::int32_t fill : {0, 7}) {
      File file = File::create(path());
      if (used) {
        file.root().create_dataset("old", Shape{40'000}, std::vector<std::int32_t>(40'000, -1));
        file.flush();
        file.root().remove("old");
        file.flush();
      }
      std::vector<std::byte> element(sizeof fill);
      std::memcpy(element.data(), &fill, sizeof fill);
      Dataset data =
          file.root().create_dataset("d", {.type = kInt32,
                                           .space = Dataspace({5'000}, {kUnlimited}),
                                           .options = {.chunk = {10'000}, .fill_value = element}});
      data.write(std::vector<std::int32_t>{1, 2, 3}, data.rows(1'000, 1'003));
      data.resize({12'000});
      std::vector<std::int32_t> expected(12'000, fill);
      std::iota(expected.begin() + 1'000, expected.begin() + 1'003, 1);
      EXPECT_EQ(data.read<std::int32_t>(), expected);
      file.close();
      file = File::open(path());
      EXPECT_EQ(file.root().open_dataset("d").read<std::int32_t>(), expected);
      file.close();
    }
}

}  // namespace
}  // namespace onecast
