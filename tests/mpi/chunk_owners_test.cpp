// Filtered chunks to which all ranks gave values, and to which ranks write independently before a
// flush
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kLength = 12;
constexpr std::uint64_t kChunk = 4;

class ChunkOwnersTest : public ParallelTest {
 protected:
  static DatasetOptions options(bool filtered) {
    DatasetOptions options{.chunk = {kChunk}};
    if (filtered) options.filters = {Filter::shuffle(), Filter::deflate(1)};
    return options;
  }
  /// Creates a dataset whose values, given at creation or written by all ranks, have no place in
  /// the file yet.
  static Dataset create(Group group, const std::string& name, bool filtered, bool with_data) {
    const auto values = count_up(kLength, 1);
    const auto bytes = std::as_bytes(std::span(values));
    Dataset x =
        group.create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                    .space = Dataspace({kLength}),
                                    .data = with_data ? bytes : std::span<const std::byte>(),
                                    .options = options(filtered)});
    if (!with_data) x.write_equal(bytes);
    return x;
  }
  static void write(Dataset& x, std::uint64_t first, const std::vector<std::int32_t>& values) {
    x.write(values, Hyperslab{{first}, {values.size()}});
  }
  static void write_equal(Dataset& x, std::uint64_t first,
                          const std::vector<std::int32_t>& values) {
    x.write_equal(std::as_bytes(std::span(values)), {.part = Hyperslab{{first}, {values.size()}}});
  }
  [[nodiscard]] std::vector<std::int32_t> stored(const std::string& name) const {
    return File::open(path(), Access::read_only, world_)
        .root()
        .open_dataset(name)
        .read<std::int32_t>();
  }
};

TEST_F(ChunkOwnersTest, OneRankWritesOverWhatAllGave) {
  for (const bool filtered : {true, false})
    for (const bool with_data : {true, false})
      for (const int writer : {0, last()}) {
        File f = ParallelTest::create(path(), {}, {});
        Dataset x = create(f.root(), "x", filtered, with_data);
        // Rank 0 writes such chunks at once, and a faster rank would write below that.
        if (!filtered) barrier();
        if (rank() == writer) write(x, 0, {99, 98});
        if (rank() == writer) write(x, 8, {1, 2, 3, 4});
        f.flush();
        auto expected = count_up(kLength, 1);
        expected[0] = 99;
        expected[1] = 98;
        std::ranges::copy(count_up(4, 1), expected.begin() + 8);
        EXPECT_EQ(x.read<std::int32_t>(), expected) << filtered << with_data << writer;
        f.close();
        EXPECT_EQ(stored("x"), expected);
      }
}

TEST_F(ChunkOwnersTest, EachRankWritesToAChunkOfItsOwn) {
  File f = ParallelTest::create(path(), {}, {});
  const auto elements = kChunk * static_cast<std::uint64_t>(size());
  const auto values = count_up(elements, 1);
  Dataset x = f.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                            .space = Dataspace({elements}),
                                            .data = std::as_bytes(std::span(values)),
                                            .options = options(true)});
  const auto mine = static_cast<std::uint64_t>(last() - rank());
  write(x, mine * kChunk + 1, {-1 - rank()});
  auto expected = values;
  for (int r = 0; r < size(); ++r)
    expected[static_cast<std::size_t>(last() - r) * kChunk + 1] = -1 - r;
  std::vector<std::int32_t> found(elements);
  x.read_all(std::as_writable_bytes(std::span(found)), Hyperslab{{0}, {elements}});
  EXPECT_EQ(found, expected);
  f.close();
  EXPECT_EQ(stored("x"), expected);
}

TEST_F(ChunkOwnersTest, WhatAllGaveStaysWhereTwoRanksWroteToIt) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  for (const bool with_data : {true, false})
    for (const int lower : {0, last() - 1}) {
      File f = ParallelTest::create(path(), {}, {});
      Dataset x = create(f.root(), "x", true, with_data);
      // The chunks are written both in parts and as a whole.
      for (const std::uint64_t chunk : {0U, 2U}) {
        if (rank() == lower)
          write(x, chunk * kChunk, chunk == 0 ? count_up(1, 70) : count_up(4, 70));
        if (rank() == last()) write(x, chunk * kChunk + 3, {80});
      }
      if (rank() == last()) write(x, 5, {77});
      const Error error = same_error([&] { f.flush(); });
      EXPECT_EQ(error.code(), ErrorCode::diverged);
      const std::string text = error.what();
      const std::string ranks = "ranks " + std::to_string(lower) + " and " + std::to_string(last());
      for (const std::string& part : {"/x: chunk at (0): " + ranks, "/x: chunk at (8): " + ranks})
        EXPECT_NE(text.find(part), std::string::npos) << text;
      auto expected = count_up(kLength, 1);
      expected[5] = 77;
      EXPECT_EQ(x.read<std::int32_t>(), expected) << with_data << lower;
      f.flush();
      f.close();
      EXPECT_EQ(stored("x"), expected);
    }
}

/// Rank 0 keeps the equal data of all ranks apart from its own writes, whichever comes first.
TEST_F(ChunkOwnersTest, WhatAllGaveStaysWithoutWhatOneRankWroteBefore) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  File f = ParallelTest::create(path(), {}, {});
  Dataset x = create(f.root(), "x", true, true);
  if (rank() == 0) write(x, 0, {50});
  write_equal(x, 1, {60, 61});
  if (rank() == 0) write(x, 1, {51});
  if (rank() == last()) write(x, 3, {52});
  EXPECT_EQ(same_error([&] { f.flush(); }).code(), ErrorCode::diverged);
  auto expected = count_up(kLength, 1);
  expected[1] = 60;
  expected[2] = 61;
  EXPECT_EQ(x.read<std::int32_t>(), expected);
  f.close();
  EXPECT_EQ(stored("x"), expected);
}

TEST_F(ChunkOwnersTest, WhatAllWriteWinsOverWhatOneRankWroteBefore) {
  for (const bool filtered : {true, false})
    for (const int writer : {0, last()})
      for (const bool whole : {true, false}) {
        File f = ParallelTest::create(path(), {}, {});
        Dataset x = f.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                                  .space = Dataspace({kLength}),
                                                  .options = options(filtered)});
        if (rank() == writer) write(x, 0, {50, 51, 52, 53, 54});
        write_equal(x, whole ? 0 : 1, whole ? count_up(8, 60) : count_up(2, 60));
        f.flush();
        std::vector<std::int32_t> expected{60, 61, 62, 63, 64, 65, 66, 67, 0, 0, 0, 0};
        if (!whole) expected = {50, 60, 61, 53, 54, 0, 0, 0, 0, 0, 0, 0};
        EXPECT_EQ(x.read<std::int32_t>(), expected) << filtered << writer << whole;
        f.close();
        EXPECT_EQ(stored("x"), expected);
      }
}

TEST_F(ChunkOwnersTest, ResizedBetweenThem) {
  File f = ParallelTest::create(path(), {}, {});
  Dataset x = create(f.root(), "x", true, true);
  if (rank() == 0) write(x, 4, {50});
  x.resize({6});
  x.resize({kLength});
  if (rank() == last()) write(x, 5, {51});
  std::vector<std::int32_t> expected{1, 2, 3, 4, size() == 1 ? 50 : 5, size() == 1 ? 51 : 6};
  expected.resize(kLength);
  if (size() == 1) {
    f.flush();
  } else {
    EXPECT_EQ(same_error([&] { f.flush(); }).code(), ErrorCode::diverged);
  }
  EXPECT_EQ(x.read<std::int32_t>(), expected);
  f.close();
  EXPECT_EQ(stored("x"), expected);
}

TEST_F(ChunkOwnersTest, TheBytesDoNotTellWhoWrote) {
  std::array<std::string, 2> bytes;
  for (const int writer : {0, last()}) {
    File f = ParallelTest::create(path(), {}, {});
    Dataset x = create(f.root(), "x", true, true);
    if (rank() == writer) write(x, 2, {99, 98, 97});
    f.close();
    const std::string found = contents(path());
    barrier();
    if (writer == 0) bytes[0] = found;
    if (writer == last()) bytes[1] = found;
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

}  // namespace
}  // namespace onecast::test
