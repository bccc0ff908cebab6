// Elements that are converted, or not contiguous in memory, take no more memory than a small
// buffer.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "onecast/onecast.hpp"
#include "support/most_memory.hpp"
#include "support/python.hpp"
#include "support/temporary_directory.hpp"

namespace onecast::test {
namespace {

class ConvertedTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kRows = 2000;
  static constexpr std::uint64_t kColumns = 2000;
  static constexpr std::uint64_t kCount = kRows * kColumns;  // 16 MB of floats, 32 MB of doubles
  static constexpr std::uint64_t kMost = std::uint64_t{6} << 20U;
  struct Padded {
    char c;
    double d;
    std::int16_t s;
  };

  [[nodiscard]] std::string path() const { return (directory_.path() / "file.h5").string(); }

  static std::vector<DatasetOptions> layouts() {
    return {{.layout = Layout::contiguous},
            {.chunk = {100, 300}},
            {.chunk = {100, 300}, .filters = {Filter::lzf()}}};
  }
  /// Writes a part of memory and reads it into another part, with little additional memory.
  static void write_and_read(Dataset& d, const std::vector<double>& values,
                             std::vector<double>& found, const MemoryLayout& inside) {
    const auto write = [&] { d.write(values, {.memory = inside}); };
    write();
    EXPECT_LE(most_memory(write), kMost);
    std::fill(found.begin(), found.end(), -1);
    EXPECT_LE(most_memory([&] { d.read(found, {.memory = inside}); }), kMost);
  }
  static Datatype padded_type() {
    return Datatype::compound(sizeof(Padded),
                              {{"c", offsetof(Padded, c), Datatype::of<std::int8_t>()},
                               {"d", offsetof(Padded, d), Datatype::of<double>()},
                               {"s", offsetof(Padded, s), Datatype::of<std::int16_t>()}});
  }
  static Datatype packed_type() {
    return Datatype::compound(11, {{"c", 0, Datatype::of<std::int8_t>()},
                                   {"d", 1, Datatype::of<double>()},
                                   {"s", 9, Datatype::of<std::int16_t>()}});
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(ConvertedTest, NumbersThroughASmallBuffer) {
  std::vector<double> values(kCount);
  std::iota(values.begin(), values.end(), 0.0);
  const auto bytes = std::as_bytes(std::span(values));
  std::vector<double> found(kCount, -1);
  for (const DatasetOptions& options : layouts()) {
    File file = File::create(path(), {.decode_threads = 1, .chunk_cache_bytes = 0});
    Dataset d = file.root().create_dataset(
        "d",
        {.type = Datatype::of<float>(), .space = Dataspace({kRows, kColumns}), .options = options});
    // Encoded chunks without a place wait in memory.
    const std::uint64_t encoded = options.filters.empty() ? 0 : std::uint64_t{48} << 20U;
    const auto write = [&] { d.write(bytes, {.memory_type = Datatype::of<double>()}); };
    if (options.filters.empty()) write();
    EXPECT_LE(most_memory(write), kMost + encoded);
    const Hyperslab odd{{1, 3}, {kRows / 2, kColumns / 3}, {2, 3}, {}};
    std::vector<double> part(kRows / 2 * (kColumns / 3), 0.5);
    d.write(part, odd);
    std::fill(found.begin(), found.end(), -1);
    EXPECT_LE(most_memory([&] { d.read(found); }), kMost);
    for (std::uint64_t i = 0; i < kCount; ++i) {
      const bool is_odd = i / kColumns % 2 == 1 && i % kColumns % 3 == 0 && i % kColumns >= 3 &&
                          i % kColumns < 3 + kColumns / 3 * 3;
      ASSERT_EQ(found[i], is_odd ? 0.5 : static_cast<float>(i)) << i;
    }
    // Elements become smaller.
    std::vector<std::int16_t> small(kCount, -1);
    EXPECT_LE(most_memory([&] { d.read(small); }), kMost);
    EXPECT_EQ(small[5], 5);
    EXPECT_EQ(small[kCount - 1], 32767);
    file.close();
  }
}

TEST_F(ConvertedTest, PaddedStructs) {
  constexpr std::uint64_t kStructs = 1'000'000;
  std::vector<Padded> values(kStructs);
  for (std::uint64_t i = 0; i < kStructs; ++i)
    values[i] = {static_cast<char>(i % 100), static_cast<double>(i), static_cast<std::int16_t>(-i)};
  for (DatasetOptions options : layouts()) {
    if (!options.chunk.empty()) options.chunk = {30'000};
    if (!options.filters.empty()) continue;
    File file = File::create(path(), {.decode_threads = 1});
    Dataset d = file.root().create_dataset(
        "d", {.type = packed_type(), .space = Dataspace({kStructs}), .options = options});
    const auto write = [&] {
      d.write(std::as_bytes(std::span(values)), {.memory_type = padded_type()});
    };
    write();
    EXPECT_LE(most_memory(write), kMost);
    std::vector<Padded> found(kStructs);
    EXPECT_LE(most_memory([&] {
                d.read(std::as_writable_bytes(std::span(found)), {.memory_type = padded_type()});
              }),
              kMost);
    for (std::uint64_t i = 0; i < kStructs; i += 997) {
      EXPECT_EQ(found[i].c, values[i].c);
      EXPECT_EQ(found[i].d, values[i].d);
      EXPECT_EQ(found[i].s, values[i].s);
    }
    file.close();
  }
}

TEST_F(ConvertedTest, MemoryWithABorder) {
  constexpr std::uint64_t kBorder = 3;
  const Shape shape{kRows + 2 * kBorder, kColumns + 2 * kBorder};
  const MemoryLayout inside(shape, Hyperslab{{kBorder, kBorder}, {kRows, kColumns}});
  std::vector<double> values(shape[0] * shape[1]);
  std::iota(values.begin(), values.end(), 0.0);
  std::vector<double> found(values.size(), -1);
  for (const DatasetOptions& options : layouts())
    for (const Datatype& stored : {Datatype::of<float>(), Datatype::of<double>()}) {
      if (!options.filters.empty()) continue;
      File file = File::create(path(), {.decode_threads = 1});
      Dataset d = file.root().create_dataset(
          "d", {.type = stored, .space = Dataspace({kRows, kColumns}), .options = options});
      write_and_read(d, values, found, inside);
      for (std::uint64_t i = 0; i < values.size(); ++i) {
        const std::uint64_t row = i / shape[1];
        const std::uint64_t column = i % shape[1];
        const bool is_inside = row >= kBorder && row < kRows + kBorder && column >= kBorder &&
                               column < kColumns + kBorder;
        const double stored_value =
            stored.size() == 4 ? static_cast<double>(static_cast<float>(values[i])) : values[i];
        ASSERT_EQ(found[i], is_inside ? stored_value : -1.0) << i;
      }
      file.close();
    }
}

/// The elements are all rows of memory except every third one from row 1 on, and a part of row 1.
TEST_F(ConvertedTest, MemoryThatIsAUnion) {
  const Shape shape{3 * kRows / 2, kColumns};
  const Selection parts = Selection(Hyperslab{{0, 0}, {kRows / 2, kColumns}, {3, 1}, {}}) |
                          Hyperslab{{2, 0}, {kRows / 2, kColumns}, {3, 1}, {}} |
                          Hyperslab{{1, 0}, {1, 7}, {}, {}};
  const MemoryLayout inside(shape, parts);
  const std::uint64_t count = kRows * kColumns + 7;
  std::vector<double> values(shape[0] * shape[1]);
  std::iota(values.begin(), values.end(), 0.0);
  std::vector<double> found(values.size(), -1);
  const auto is_inside = [&](std::uint64_t i) {
    return i / kColumns % 3 != 1 || (i / kColumns == 1 && i % kColumns < 7);
  };
  for (const DatasetOptions& from : layouts())
    for (const Datatype& stored : {Datatype::of<float>(), Datatype::of<double>()}) {
      DatasetOptions options = from;
      if (!options.filters.empty()) continue;
      if (!options.chunk.empty()) options.chunk = {70'000};
      File file = File::create(path(), {.decode_threads = 1});
      Dataset d = file.root().create_dataset(
          "d", {.type = stored, .space = Dataspace({count}), .options = options});
      write_and_read(d, values, found, inside);
      for (std::uint64_t i = 0; i < values.size(); ++i) {
        const double expected =
            stored.size() == 4 ? static_cast<double>(static_cast<float>(values[i])) : values[i];
        ASSERT_EQ(found[i], is_inside(i) ? expected : -1.0) << i;
      }
      file.close();
      if (!has_h5py()) continue;
      const auto answer = run_python(
          "-c 'import h5py, numpy as np\n"
          "v = np.arange(3 * 1000 * 2000.0).reshape(3000, 2000)\n"
          "keep = np.arange(3000)[:, None] % 3 != np.ones(2000)\n"
          "keep[1, :7] = True\n"
          "d = h5py.File(\"" +
          path() +
          "\")[\"d\"][:]\n"
          "assert (d == v[keep].astype(d.dtype)).all()'");
      EXPECT_EQ(answer.status, 0) << answer.text;
    }
}

TEST_F(ConvertedTest, WriteEqualAndChunksThatNobodyWrote) {
  std::vector<double> values(kCount, 7);
  File file = File::create(path(), {.decode_threads = 1});
  Dataset d = file.root().create_dataset("d", {.type = Datatype::of<float>(),
                                               .space = Dataspace({kRows, kColumns}),
                                               .options = {.layout = Layout::contiguous}});
  const auto write = [&] { d.write_equal(values); };
  write();
  EXPECT_LE(most_memory(write), kMost);
  const float nine = 9;
  const auto fill = std::as_bytes(std::span(&nine, 1));
  Dataset empty = file.root().create_dataset(
      "empty",
      {.type = Datatype::of<float>(),
       .space = Dataspace({kRows, kColumns}),
       .options = {.chunk = {100, 100}, .fill_value = std::vector(fill.begin(), fill.end())}});
  const double one = 1;
  empty.write(std::as_bytes(std::span(&one, 1)),
              {.part = Hyperslab{{5, 5}, {1, 1}}, .memory_type = Datatype::of<double>()});
  std::vector<std::int16_t> small(kCount, -1);
  EXPECT_LE(most_memory([&] { empty.read(small); }), kMost);
  EXPECT_EQ(small[0], 9);
  EXPECT_EQ(small[5 * kColumns + 5], 1);
  EXPECT_EQ(small[kCount - 1], 9);
  EXPECT_EQ(d.read<float>(), std::vector<float>(kCount, 7));
}

/// The sources have other types. h5py created all files.
TEST_F(ConvertedTest, Virtual) {
  ONECAST_NEEDS_H5PY();
  const auto made = run_script(__FILE__, "../mpi/make_converted.py", "'" + path() + "' 6000 1000");
  ASSERT_EQ(made.status, 0) << made.text;
  constexpr std::uint64_t kHigh = 6000;
  constexpr std::uint64_t kWide = 1000;  // 24 MB of floats
  constexpr std::uint64_t kMostOfParts = std::uint64_t{10} << 20U;
  const File file =
      File::open(path(), Access::read_only,
                 {.decode_threads = 1, .chunk_cache_bytes = 0, .small_data_limit = 0});
  const Dataset d = file.root().open_dataset("virtual");
  const auto value = [](std::uint64_t row, std::uint64_t column) {
    return static_cast<std::int16_t>((row * 7 + column) % 30000);
  };
  std::vector<std::int16_t> found(kHigh * kWide, -1);
  const auto read = [&] { d.read(found); };
  EXPECT_LE(most_memory(read), kMostOfParts);
  const std::uint64_t reads = file.io_stats().reads;
  EXPECT_LE(reads, 600U) << "each chunk once, of the columns only those of a part";
  for (std::uint64_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], value(i / kWide, i % kWide)) << i;
  // The part is every other row, and columns in threes; it goes into every other element.
  const Hyperslab part{{1, 1}, {kHigh / 2, kWide / 4}, {2, 4}, {1, 3}};
  std::vector<float> some(kHigh / 2 * (kWide / 4 * 3) * 2, -1);
  const MemoryLayout sparse(Shape{some.size()}, Hyperslab{{1}, {some.size() / 2}, {2}, {}});
  EXPECT_LE(most_memory([&] { d.read(some, {.part = part, .memory = sparse}); }), kMostOfParts);
  for (std::uint64_t i = 0; i < some.size(); ++i) {
    const std::uint64_t row = i / 2 / (kWide / 4 * 3) * 2 + 1;
    const std::uint64_t k = i / 2 % (kWide / 4 * 3);
    const std::uint64_t column = 1 + k / 3 * 4 + k % 3;
    ASSERT_EQ(some[i], i % 2 == 1 ? static_cast<float>(value(row, column)) : -1.0F) << i;
  }
}

/// The data was never written, and its space held other data before.
TEST_F(ConvertedTest, DataThatIsNotFilled) {
  File file = File::create(path());
  const float seven = 7;
  const auto bytes = std::as_bytes(std::span(&seven, 1));
  Dataset d = file.root().create_dataset(
      "d", {.type = Datatype::of<float>(),
            .space = Dataspace({kRows, kColumns}),
            .options = {.layout = Layout::contiguous,
                        .fill_value = std::vector(bytes.begin(), bytes.end())}});
  const std::vector<float> row(kColumns, 3);
  d.write(row, Hyperslab{{9, 0}, {1, kColumns}, {}, {}});
  std::vector<std::int16_t> found(kCount);
  EXPECT_LE(most_memory([&] { d.read(found); }), kMost);
  for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(found[i], i / kColumns == 9 ? 3 : 7) << i;
  file.close();
}

/// Members that only the file has stay unchanged.
TEST_F(ConvertedTest, SomeMembers) {
  struct Partial {
    double d;
  };
  const Datatype partial = Datatype::compound(sizeof(Partial), {{"d", 0, Datatype::of<double>()}});
  for (DatasetOptions options : layouts()) {
    if (!options.chunk.empty()) options.chunk = {300};
    File file = File::create(path());
    Dataset d = file.root().create_dataset(
        "d", {.type = packed_type(), .space = Dataspace({1000}), .options = options});
    std::vector<Padded> values(1000, Padded{1, 2, 3});
    d.write(std::as_bytes(std::span(values)), {.memory_type = padded_type()});
    const std::vector<Partial> some(400, Partial{9});
    d.write(some, {.part = Hyperslab{{500}, {400}}, .memory_type = partial});
    d.read(std::as_writable_bytes(std::span(values)), {.memory_type = padded_type()});
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(values[i].c, 1);
      EXPECT_EQ(values[i].d, i >= 500 && i < 900 ? 9 : 2) << i;
      EXPECT_EQ(values[i].s, 3);
    }
    file.close();
  }
}

}  // namespace
}  // namespace onecast::test
