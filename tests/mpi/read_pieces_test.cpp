// read_all of different parts reads each byte that any rank wants once.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

class ReadPiecesTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kRows = 300;
  static constexpr std::uint64_t kColumns = 210;
  static constexpr std::uint64_t kBytes = kRows * kColumns * sizeof(std::int32_t);

  void SetUp() override {
    File file = File::create(path(), world_);
    const auto values = count_up(kRows * kColumns);
    const auto bytes = std::as_bytes(std::span(values));
    for (const char* name : {"table", "other"})
      file.root().create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                        .space = Shape{kRows, kColumns},
                                        .data = bytes,
                                        .options = {.layout = Layout::contiguous}});
    file.root().create_dataset("chunked", {.type = Datatype::of<std::int32_t>(),
                                           .space = Shape{kRows, kColumns},
                                           .data = bytes,
                                           .options = {.chunk = {50, 50}}});
    file.root().create_dataset("filtered",
                               {.type = Datatype::of<std::int32_t>(),
                                .space = Shape{kRows, kColumns},
                                .data = bytes,
                                .options = {.chunk = {40, 50}, .filters = {Filter::shuffle()}}});
    file.close();
    barrier();
  }
  [[nodiscard]] File open_again(const FileOptions& options = {}) const {
    return File::open(path(), Access::read_write, world_, options);
  }
  /// Returns the columns of this rank, and some of the next rank's.
  [[nodiscard]] Hyperslab overlapping_columns() const {
    const auto ranks = static_cast<std::uint64_t>(size());
    const auto mine = static_cast<std::uint64_t>(rank());
    const std::uint64_t first = mine * kColumns / ranks;
    const std::uint64_t end = std::min((mine + 1) * kColumns / ranks + 20, kColumns);
    return {{0, first}, {kRows, end - first}, {}, {}};
  }
  static std::vector<std::int32_t> together(const Dataset& x, const Selection& part,
                                            std::size_t count, Sharing sharing) {
    std::vector<std::int32_t> values(count);
    x.read_all(std::as_writable_bytes(std::span(values)), {.part = part, .sharing = sharing});
    return values;
  }
  static std::vector<std::int32_t> alone(const Dataset& x, const Selection& part,
                                         std::size_t count) {
    std::vector<std::int32_t> values(count);
    x.read(std::as_writable_bytes(std::span(values)), part);
    return values;
  }
  static std::size_t count_of(const Hyperslab& part) {
    return static_cast<std::size_t>(part.count[0] * part.count[1]);
  }
  /// Returns the number of bytes that `work` reads on all ranks.
  template <class F>
  std::uint64_t bytes_read(const File& file, F&& work) const {
    const std::uint64_t before = file.io_stats().bytes_read;
    std::forward<F>(work)();
    const auto all = everyones(file.io_stats().bytes_read - before);
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  }
};

TEST_F(ReadPiecesTest, EachByteOfOverlappingRequestsIsReadOnce) {
  const File file = open_again();
  const Dataset x = file.root().open_dataset("table");
  const Hyperslab part = overlapping_columns();
  for (const Sharing sharing : {Sharing::automatic, Sharing::serve}) {
    std::vector<std::int32_t> found;
    const std::uint64_t read =
        bytes_read(file, [&] { found = together(x, part, count_of(part), sharing); });
    EXPECT_EQ(read, kBytes);
    EXPECT_EQ(found, alone(x, part, count_of(part)));
  }
}

TEST_F(ReadPiecesTest, EachChunkThatSeveralWantIsReadOnce) {
  for (const char* stripes : {"1000:3", ""}) {
    if (*stripes != 0) setenv("ONECAST_PRETEND_STRIPES", stripes, 1);
    const File file = open_again({.chunk_cache_bytes = 0, .collective_buffer = 64 << 10U});
    const Hyperslab part = overlapping_columns();
    for (const char* name : {"chunked", "filtered"}) {
      const Dataset x = file.root().open_dataset(name);
      std::uint64_t all = bytes_read(file, [&] {
        if (rank() == 0) static_cast<void>(x.read<std::int32_t>());
      });
      std::vector<std::int32_t> found;
      const std::uint64_t read =
          bytes_read(file, [&] { found = together(x, part, count_of(part), Sharing::automatic); });
      // Bytes between two chunks may be read, too.
      EXPECT_LE(read, all + all / 16) << name;
      EXPECT_EQ(found, alone(x, part, count_of(part))) << name;
    }
    unsetenv("ONECAST_PRETEND_STRIPES");
    barrier();
  }
}

TEST_F(ReadPiecesTest, AnotherTypeAndLayoutInMemory) {
  const File file = open_again();
  const Dataset x = file.root().open_dataset("table");
  const Hyperslab part = overlapping_columns();
  const auto expected = alone(x, part, count_of(part));
  std::vector<double> values(2 * expected.size(), -1);
  const std::uint64_t read = bytes_read(file, [&] {
    x.read_all(values, {.part = part,
                        .memory = MemoryLayout({expected.size(), 2},
                                               Hyperslab{{0, 1}, {expected.size(), 1}})});
  });
  EXPECT_EQ(read, kBytes);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(values[2 * i], -1);
    EXPECT_EQ(values[2 * i + 1], expected[i]);
  }
}

TEST_F(ReadPiecesTest, OthersWantRowsOrNothing) {
  const File file = open_again({.chunk_cache_bytes = 0});
  const Hyperslab columns = overlapping_columns();
  const Hyperslab rows{{10, 0}, {20, kColumns}};
  for (const char* name : {"table", "chunked", "other"})
    for (const Sharing sharing : {Sharing::automatic, Sharing::serve}) {
      // In turn, ranks want columns, whole rows (several ranks the same ones), or nothing.
      const int turn = rank() % 5;
      const Dataset x = file.root().open_dataset(name);
      const bool wants_rows = turn == 1 || turn == 2 || turn == 4;
      const Selection part = turn == 3    ? Selection::none()
                             : wants_rows ? Selection(rows)
                                          : Selection(columns);
      const std::size_t count = turn == 3 ? 0 : wants_rows ? count_of(rows) : count_of(columns);
      EXPECT_EQ(together(x, part, count, sharing), alone(x, part, count)) << rank();
    }
}

TEST_F(ReadPiecesTest, RandomSelections) {
  for (const char* stripes : {"1000:3", "65536:2", ""}) {
    if (*stripes != 0) setenv("ONECAST_PRETEND_STRIPES", stripes, 1);
    const File file = open_again();
    const Dataset x = file.root().open_dataset("table");
    std::mt19937 random(static_cast<unsigned>(rank()) + 5U);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    for (int round = 0; round < 12; ++round) {
      Selection part = Selection::none();
      std::size_t count = 0;
      if (below(4) == 0) {
        std::vector<std::uint64_t> points;
        count = static_cast<std::size_t>(below(200));
        for (std::size_t i = 0; i < count; ++i) {
          points.push_back(below(kRows));
          points.push_back(below(kColumns));
        }
        part = Selection::points(2, points);
      } else {
        const std::uint64_t row = below(kRows - 1);
        const std::uint64_t column = below(kColumns - 1);
        const std::uint64_t step = 1 + below(4);
        const Hyperslab box{{row, column},
                            {1 + below(kRows - row) / step, 1 + below(kColumns - column) / step},
                            {step, step},
                            {}};
        const bool fits = box.start[0] + (box.count[0] - 1) * step < kRows &&
                          box.start[1] + (box.count[1] - 1) * step < kColumns;
        ASSERT_TRUE(fits);
        count = count_of(box);
        part = box;
      }
      const Sharing sharing = round % 2 == 0 ? Sharing::automatic : Sharing::serve;
      EXPECT_EQ(together(x, part, count, sharing), alone(x, part, count)) << rank();
    }
    unsetenv("ONECAST_PRETEND_STRIPES");
    barrier();
  }
}

TEST_F(ReadPiecesTest, OneWantsManyPieces) {
  const File file = open_again();
  const Dataset x = file.root().open_dataset("table");
  const Hyperslab columns{{0, 3}, {kRows, 2}};
  const bool mine = rank() == last();
  const Selection part = mine ? Selection(columns) : Selection::none();
  const std::size_t count = mine ? count_of(columns) : 0;
  const std::uint64_t before = file.io_stats().reads;
  EXPECT_EQ(together(x, part, count, Sharing::automatic), alone(x, part, count));
  EXPECT_LT(file.io_stats().reads - before, kRows / 10) << "pieces close to each other by one read";
}

TEST_F(ReadPiecesTest, AnErrorIsThatOfAll) {
  const File file = open_again();
  const Dataset x = file.root().open_dataset("table");
  const Hyperslab part = overlapping_columns();
  const std::size_t count = count_of(part) - (rank() == last() ? 1 : 0);
  const Error error =
      same_error([&] { static_cast<void>(together(x, part, count, Sharing::automatic)); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace onecast::test
