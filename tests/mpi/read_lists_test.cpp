// read_multi: which rank reads what, and how often
#include <deque>
#include <numeric>

#include "faults.hpp"
#include "objects/chunks/chunk_storage.hpp"
#include "objects/files/object_access.hpp"
#include "objects/nodes/node.hpp"
#include "parallel_test.hpp"

namespace onecast::test {

using namespace lifetime;
namespace {

class ReadListsTest : public ParallelTest {
 protected:
  using Values = std::vector<std::int32_t>;

  static constexpr std::uint64_t kRows = 120;
  static constexpr std::uint64_t kColumns = 210;
  static constexpr std::size_t kFiltered = 6;

  /// Creates tables: two contiguous ones, and filtered ones with large data between them.
  void SetUp() override {
    File file = File::create(path(), world_, {.page_size = 4096});
    const Values values = count_up(kRows * kColumns);
    const auto create = [&](const std::string& name, const DatasetOptions& options) {
      file.root().create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                        .space = Shape{kRows, kColumns},
                                        .data = std::as_bytes(std::span(values)),
                                        .options = options});
    };
    const Values much(1U << 18U);
    for (const char* name : {"x", "y"}) create(name, {.layout = Layout::contiguous});
    for (std::size_t i = 0; i < kFiltered; ++i) {
      create("filtered " + std::to_string(i),
             {.chunk = {20, 30}, .filters = {Filter::shuffle(), Filter::deflate(1)}});
      file.root().create_dataset("much " + std::to_string(i), {much.size()}, much);
    }
    Dataset holes = file.root().create_dataset(
        "holes", {.type = Datatype::of<std::int32_t>(),
                  .space = Dataspace({kRows, kColumns}),
                  .options = {.chunk = {20, 30}, .filters = {Filter::shuffle()}}});
    if (rank() == 0) holes.write(count_up(kColumns), Hyperslab{{50, 0}, {1, kColumns}});
    file.close();
    barrier();
  }
  [[nodiscard]] File open_again(const FileOptions& options = {}) const {
    return File::open(path(), Access::read_write, world_, options);
  }
  /// Returns the columns of this rank, and some of the next rank's.
  [[nodiscard]] Hyperslab overlapping_columns() const {
    const Hyperslab mine = my_share(kColumns);
    const std::uint64_t end = std::min(mine.start[0] + mine.count[0] + 20, kColumns);
    return {{0, mine.start[0]}, {kRows, end - mine.start[0]}, {}, {}};
  }
  static Hyperslab rows(std::uint64_t first, std::uint64_t count) {
    return {{first, 0}, {count, kColumns}, {}, {}};
  }
  static Hyperslab all() { return rows(0, kRows); }

  struct Part {
    std::string name;
    Hyperslab of;
  };
  /// Reads the parts together, and compares them with independent reads.
  static void read(const File& file, const std::vector<Part>& parts) {
    std::deque<Values> found;
    std::vector<ReadRequest> list;
    for (const auto& [name, part] : parts)
      list.push_back({file.root().open_dataset(name),
                      room(found.emplace_back(part.count[0] * part.count[1])), part});
    file.read_multi(list);
    const File alone = File::open(file.path(), Access::read_only,
                                  {.locking = FileLocking::off, .small_data_limit = 0});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Values expected(found[i].size());
      alone.root().open_dataset(parts[i].name).read(room(expected), parts[i].of);
      EXPECT_EQ(found[i], expected) << parts[i].name << ", entry " << i;
    }
  }
  static std::span<std::byte> room(Values& values) {
    return std::as_writable_bytes(std::span(values));
  }
  [[nodiscard]] std::uint64_t sum(std::uint64_t mine) const {
    const auto each = everyones(mine);
    return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
  }
  static std::vector<ChunkPlace> chunks(const File& file, const std::string& name) {
    const Dataset dataset = file.root().open_dataset(name);
    const DatasetInfo& info = ObjectAccess::node(dataset).dataset();
    std::vector<ChunkPlace> places;
    chunks_of(info).locate(BoundSelection(info.space), places);
    return places;
  }
  static std::uint64_t stored_bytes(const File& file, const std::string& name) {
    std::uint64_t bytes = 0;
    for (const ChunkPlace& place : chunks(file, name)) bytes += place.size;
    return bytes;
  }
};

TEST_F(ReadListsTest, EachFilteredChunkIsReadOnce) {
  for (const std::uint64_t buffer : {std::uint64_t{64} << 10U, std::uint64_t{16} << 20U}) {
    const File file = open_again({.chunk_cache_bytes = 0, .collective_buffer = buffer});
    std::vector<Part> parts = {{"x", overlapping_columns()}, {"holes", overlapping_columns()}};
    std::uint64_t most = kRows * kColumns * sizeof(std::int32_t);
    for (std::size_t i = 0; i < kFiltered; ++i) {
      const std::string name = "filtered " + std::to_string(i);
      most += stored_bytes(file, name);
      // All ranks want one dataset; of another one each rank wants two parts.
      parts.push_back({name, i == 2 ? all() : overlapping_columns()});
      if (i == 4) parts.push_back({name, rows(30, 31)});
    }
    most += stored_bytes(file, "holes");
    const IoStats mine = counts(file, [&] { read(file, parts); });
    const std::uint64_t read_by_all = sum(mine.bytes_read);
    if (size() > 1) {
      EXPECT_LE(read_by_all, most + most / 16);
    }
  }
}

TEST_F(ReadListsTest, ManyDatasetsCostAsManyCollectivesAsTwo) {
  std::vector<std::uint64_t> collectives;
  for (const std::size_t count : {std::size_t{2}, kFiltered}) {
    const File file = open_again({.chunk_cache_bytes = 0});
    std::vector<Part> parts;
    for (std::size_t i = 0; i < count; ++i)
      parts.push_back({"filtered " + std::to_string(i), overlapping_columns()});
    read(file, parts);
    collectives.push_back(counts(file, [&] { read(file, parts); }).collectives);
    if (size() > 1) {
      EXPECT_EQ(file.explain().rfind("read_multi: chunked: ranks want the same chunks", 0), 0U)
          << file.explain();
    }
  }
  EXPECT_EQ(collectives[0], collectives[1]);
}

TEST_F(ReadListsTest, ChunksThatNobodyElseWantsAreReadAlone) {
  const File file = open_again({.chunk_cache_bytes = 0});
  // The parts are whole rows of chunks, six for all ranks together, or empty.
  const Hyperslab mine = my_share(kRows / 20);
  const Hyperslab part = rows(mine.start[0] * 20, mine.count[0] * 20);
  read(file, {{"filtered 0", part}, {"filtered 1", part}, {"filtered 0", rows(0, 0)}});
  if (size() > 1) {
    EXPECT_EQ(file.explain().rfind("read_multi: independent", 0), 0U) << file.explain();
  }
}

TEST_F(ReadListsTest, SmallReadsAreKeptForFurtherOnes) {
  const File file = open_again();
  const std::vector<Part> parts = {{"filtered 0", overlapping_columns()},
                                   {"filtered 1", overlapping_columns()}};
  read(file, parts);
  EXPECT_EQ(counts(file, [&] { read(file, parts); }).reads, 0U);
}

TEST_F(ReadListsTest, WhatOneRankWroteAllSee) {
  File file = open_again({.chunk_cache_bytes = 0});
  std::vector<Dataset> sets;
  for (const char* name : {"filtered 0", "filtered 1"})
    sets.push_back(file.root().open_dataset(name));
  const Values ten(10, -1);
  if (rank() == last()) sets[1].write(ten, Hyperslab{{7, 0}, {1, 10}});
  std::deque<Values> found;
  std::vector<ReadRequest> list;
  const std::uint64_t count = rank() % 2 == 0 ? 1 : 2;
  for (const Dataset& x : sets)
    list.push_back({x, room(found.emplace_back(kColumns * count)), rows(7, count)});
  file.read_multi(list);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(found[1][i], -1);
  file.close();
}

TEST_F(ReadListsTest, ServedRanksShareWithThoseThatHaveTheSameList) {
  const File file = open_again({.sharing = Sharing::serve, .chunk_cache_bytes = 0});
  // The groups are the even ranks, the odd ranks, and the last rank, which wants nothing.
  const int group = rank() == last() && size() > 2 ? 2 : rank() % 2;
  const Hyperslab part = group == 2 ? rows(0, 0) : rows(group == 0 ? 0 : 40, 70);
  const std::vector<Part> parts = {
      {"x", part}, {"filtered 0", part}, {"y", part}, {"filtered 1", part}, {"holes", part}};
  std::uint64_t first = 0;
  for (int again = 0; again < 2; ++again) {
    const IoStats mine = counts(file, [&] { read(file, parts); });
    EXPECT_EQ(mine.reads != 0, rank() < 2 && group != 2) << "rank " << rank();
    if (again == 0)
      first = mine.collectives;
    else
      EXPECT_LE(mine.collectives, first) << "the groups are known";
    if (size() > 3) {
      EXPECT_EQ(file.explain().rfind("read_multi: serve: ", 0), 0U) << file.explain();
    }
  }
  // All lists are equal, so there is one group.
  const std::vector<Part> same = {{"x", rows(3, 9)}, {"filtered 0", rows(3, 9)}};
  const IoStats mine = counts(file, [&] { read(file, same); });
  EXPECT_EQ(mine.reads != 0, rank() == 0);
}

TEST_F(ReadListsTest, ServedRanksReadSmallPiecesTogether) {
  const File file = open_again({.sharing = Sharing::serve, .chunk_cache_bytes = 0});
  const Hyperslab rows_of_group = rows(rank() % 2 == 0 ? 0 : 40, 70);
  const std::vector<Part> parts = {
      {"x", overlapping_columns()}, {"filtered 0", rows_of_group}, {"y", overlapping_columns()}};
  const std::uint64_t table = kRows * kColumns * sizeof(std::int32_t);
  const IoStats mine = counts(file, [&] { read(file, parts); });
  const std::uint64_t read_by_all = sum(mine.bytes_read);
  if (size() > 1) {
    EXPECT_LE(read_by_all, 2 * table + 2 * stored_bytes(file, "filtered 0"));
  }
}

TEST_F(ReadListsTest, VerifyComparesWholeLists) {
  const File file = open_again({.sharing = Sharing::verify});
  read(file, {{"x", all()}, {"filtered 0", rows(1, 2)}, {"y", rows(5, 7)}});
  if (size() == 1) return;
  const std::uint64_t other = rank() == last() ? 1 : 0;
  const Error error =
      same_error([&] { read(file, {{"x", all()}, {"filtered 0", rows(1 + other, 2)}}); });
  EXPECT_EQ(error.code(), ErrorCode::diverged);
  EXPECT_NE(
      std::string(error.what())
          .find("read_multi: all ranks must pass equal arguments, but 1 of " +
                std::to_string(size()) + " ranks differ from rank 0: " + std::to_string(last())),
      std::string::npos)
      << error.what();
}

TEST_F(ReadListsTest, AFailureOfOneRankIsOneOfAll) {
  for (const Sharing sharing : {Sharing::automatic, Sharing::verify, Sharing::serve})
    for (const int failing : {0, last()}) {
      const Faults faults = faults_on(failing, world_);
      const File file = open(path(), Access::read_write,
                             {.sharing = sharing, .chunk_cache_bytes = 0}, faults.factory());
      const Hyperslab part = sharing == Sharing::verify  ? all()
                             : sharing == Sharing::serve ? rows(rank() % 2 == 0 ? 0 : 40, 70)
                                                         : overlapping_columns();
      const std::vector<Part> parts = {{"filtered 0", part}, {"x", part}, {"filtered 1", part}};
      // This is true if the rank reads for others.
      const bool reads = counts(file, [&] { read(file, parts); }).reads != 0;
      const bool will_fail = everyones(reads ? 1 : 0)[static_cast<std::size_t>(failing)] == 1;
      faults.fail(Call::read);
      if (will_fail) {
        EXPECT_EQ(same_error([&] { read(file, parts); }).code(), ErrorCode::io);
      }
      faults.stop();
      read(file, parts);
      barrier();
    }
}

TEST_F(ReadListsTest, ADamagedChunkIsAnErrorOfAll) {
  leaves_damage_ = true;
  const ChunkPlace place = chunks(open_again(), "filtered 1").at(3);
  barrier();
  if (rank() == 0) {
    std::fstream bytes(path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(place.address.value));
    bytes << "damaged damaged damaged damaged";
  }
  barrier();
  const File file = open_again({.chunk_cache_bytes = 0});
  const Error error = same_error([&] {
    read(file, {{"filtered 0", overlapping_columns()}, {"filtered 1", overlapping_columns()}});
  });
  EXPECT_NE(std::string(error.what()).find("filtered 1"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace onecast::test
