// Chunks that ranks filtered themselves
#include "onecast/objects/stored_chunks.hpp"

#include <chrono>
#include <numeric>
#include <thread>

#include "parallel_test.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

using StoredChunksTest = ParallelTest;

TEST_F(StoredChunksTest, EachRankWritesItsOwn) {
  const auto count = static_cast<std::uint64_t>(size());
  const std::vector<int> values(100, 5);
  for (const bool filtered : {true, false}) {
    File file = File::create(path(), world_);
    DatasetOptions options{.chunk = {100}};
    if (filtered) options.filters = {Filter::deflate(4)};
    Dataset model = file.root().create_dataset(
        "model", {.type = Datatype::of<int>(), .space = Dataspace({100}), .options = options});
    Dataset x = file.root().create_dataset(
        "x", {.type = Datatype::of<int>(), .space = Dataspace({100 * count}), .options = options});
    model.write_equal(values);
    file.flush();
    const StoredBytes stored = read_stored_chunk(model, {0});
    const Shape mine{100 * static_cast<std::uint64_t>(rank())};
    write_stored_chunk(x, mine, stored.bytes, stored.filter_mask);
    EXPECT_TRUE(find_stored_chunk(x, mine).has_value());
    EXPECT_EQ(read_stored_chunk(x, mine).bytes, stored.bytes);
    file.flush();
    EXPECT_EQ(stored_chunks(x).size(), count);
    EXPECT_EQ(x.read_all<int>(), std::vector<int>(100 * count, 5));
    // Two ranks that write one filtered chunk get an error, as with write.
    if (filtered && size() > 1) {
      write_stored_chunk(x, {0}, stored.bytes, stored.filter_mask);
      EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
    }
    file.close();
  }
}

/// Rank 0 comes late. It must not fill what others have written in space that held other data
/// before.
TEST_F(StoredChunksTest, AllocatedChunksInUsedSpace) {
  const auto count = static_cast<std::uint64_t>(size());
  constexpr std::uint64_t kElements = 2000;  // the elements of a chunk
  const std::vector<int> values(kElements, 7);
  const Shape mine{kElements * static_cast<std::uint64_t>(rank())};
  for (const bool is_whole : {true, false}) {
    File file = File::create(path(), world_);
    const auto create = [&](const std::string& name) {
      return file.root().create_dataset(name, {.type = Datatype::of<int>(),
                                               .space = Dataspace({kElements * count}),
                                               .options = {.chunk = {kElements}}});
    };
    Dataset old = create("old");
    old.write_all(values, old.rows(mine[0], mine[0] + kElements));
    file.flush();
    file.root().remove("old");
    file.flush();
    Dataset x = create("x");
    std::vector<NewChunk> places;
    for (std::uint64_t k = 0; k < count; ++k)
      places.push_back({.start = {k * kElements}, .is_whole = is_whole});
    if (rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    allocate_chunks(x, places);
    if (is_whole)
      write_allocated_chunk(x, mine, std::as_bytes(std::span(values)));
    else
      x.write(values, x.rows(mine[0], mine[0] + kElements));
    file.flush();
    EXPECT_EQ(x.read_all<int>(), std::vector<int>(kElements * count, 7));
    file.close();
  }
}

/// No rank fills a chunk that another rank has written.
TEST_F(StoredChunksTest, AllocatedChunksWithAFillValueKeepWhatRanksWrite) {
  const auto ranks = static_cast<std::uint64_t>(size());
  const std::uint64_t chunk = 4 * ranks;
  for (int round = 0; round < 20; ++round) {
    File file = File::create(path("filled.h5"), world_);
    Dataset x = file.root().create_dataset(
        "x", {.type = Datatype::of<std::uint32_t>(),
              .space = Dataspace({2 * chunk}),
              .options = {.chunk = {chunk}, .fill_value = std::vector{std::byte{7}, {}, {}, {}}}});
    allocate_chunks(x, std::vector<NewChunk>{{.start = {0}}, {.start = {chunk}}});
    const auto mine = static_cast<std::uint64_t>(rank());
    x.write(std::vector<std::uint32_t>{1, 2}, x.rows(4 * mine, 4 * mine + 2));
    file.flush();
    const auto all = x.read_all<std::uint32_t>();
    for (std::uint64_t i = 0; i < 2 * chunk; ++i)
      ASSERT_EQ(all[i], i < chunk && i % 4 < 2 ? i % 4 + 1 : 7U) << i;
    file.close();
  }
}

/// The bytes do not depend on which rank writes which of the placed chunks.
TEST_F(StoredChunksTest, AllocatedChunksAreWrittenAtOnce) {
  constexpr std::uint64_t kChunks = 12;
  constexpr std::uint64_t kElements = 3000;  // the elements of a chunk
  const auto write = [&](const std::string& name, const Communicator& ranks, bool filtered) {
    File file = File::create(path(name), ranks);
    DatasetOptions options{.chunk = {kElements}};
    if (filtered) options.filters = {Filter::zstd(1)};
    const Datatype type = Datatype::of<std::uint32_t>();
    const Dataspace space({kElements / 2}, {Dataspace::kUnlimited});
    Dataset x = file.root().create_dataset("x", {.type = type, .space = space, .options = options});
    Dataset model = file.root().create_dataset(
        "model", {.type = type, .space = Dataspace({kElements}), .options = options});
    std::vector<std::uint32_t> values(kElements);
    std::iota(values.begin(), values.end(), 0U);
    model.write_equal(values);
    file.flush();
    const StoredBytes stored = read_stored_chunk(model, {0});

    x.resize({kChunks * kElements});
    std::vector<NewChunk> places;
    for (std::uint64_t k = 0; k < kChunks; ++k)
      places.push_back({.start = {k * kElements}, .size = stored.bytes.size()});
    allocate_chunks(x, places);
    allocate_chunks(x, places);  // chunks that have a place keep it
    const IoStats before = file.io_stats();
    std::uint64_t mine = 0;
    for (std::uint64_t k = 0; k < kChunks; ++k) {
      if (k % static_cast<std::uint64_t>(ranks.size()) != static_cast<std::uint64_t>(ranks.rank()))
        continue;
      ++mine;
      if (filtered)
        write_allocated_chunk(x, {k * kElements}, stored.bytes);
      else
        x.write(values, x.rows(k * kElements, (k + 1) * kElements));
    }
    EXPECT_EQ(file.io_stats().bytes_written - before.bytes_written, mine * stored.bytes.size());
    EXPECT_EQ(file.io_stats().collectives, before.collectives);
    file.flush();
    const auto all = x.read_all<std::uint32_t>();
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i % kElements);
    if (filtered) {
      EXPECT_EQ(thrown_by([&] { write_allocated_chunk(x, {0}, stored.bytes); }).code(),
                ErrorCode::state);
    }
    file.close();
  };
  for (const bool filtered : {false, true}) {
    write("all.h5", world_, filtered);
    if (const auto one = first_ranks(1)) write("one.h5", *one, filtered);
    if (rank() == 0) write("alone.h5", Communicator(), filtered);
    const std::string bytes = contents(path("all.h5"));
    EXPECT_TRUE(bytes == contents(path("one.h5")));
    // On a communicator filtered chunks get their places at the flush, here those of `model` only.
    const std::string alone = contents(path("alone.h5"));
    EXPECT_TRUE(filtered || bytes == alone);
  }
}

/// The bytes do not depend on whether each rank writes for itself or all write together.
TEST_F(StoredChunksTest, AllocatedChunksAreWrittenTogether) {
  constexpr std::uint64_t kChunks = 9;
  const auto write = [&](const std::string& name, std::uint64_t stripe, int first) {
    File file = File::create(path(name), world_, {.stripe_size = stripe});
    const DatasetOptions options{.chunk = {1000}, .filters = {Filter::zstd(1)}};
    Dataset x = file.root().create_dataset("x", {.type = Datatype::of<std::uint32_t>(),
                                                 .space = Dataspace({kChunks * 1000}),
                                                 .options = options});
    Dataset model = file.root().create_dataset(
        "model",
        {.type = Datatype::of<std::uint32_t>(), .space = Dataspace({1000}), .options = options});
    std::vector<std::uint32_t> values(1000);
    std::iota(values.begin(), values.end(), 0U);
    model.write_equal(values);
    file.flush();
    const StoredBytes stored = read_stored_chunk(model, {0});
    std::vector<NewChunk> places;
    for (std::uint64_t k = 0; k < kChunks; ++k)
      places.push_back({.start = {k * 1000}, .size = stored.bytes.size()});
    allocate_chunks(x, places);

    // If one rank fails, none writes. With more ranks than chunks, some ranks have none.
    const AllocatedChunk wrong{x, {0}, std::span(stored.bytes).first(3)};
    const Error error = same_error(
        [&] { write_allocated_chunks(file, std::span(&wrong, rank() == last() ? 1 : 0)); });
    EXPECT_EQ(error.code(), ErrorCode::state);
    std::vector<AllocatedChunk> mine;
    for (std::uint64_t k = 0; k < kChunks; ++k)
      if (k % static_cast<std::uint64_t>(size()) ==
          static_cast<std::uint64_t>((rank() + first) % size()))
        mine.push_back({x, {k * 1000}, stored.bytes});
    write_allocated_chunks(file, mine);
    file.flush();
    const auto all = x.read_all<std::uint32_t>();
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i % 1000);
    file.close();
  };
  for (const std::uint64_t stripe : {std::uint64_t{0}, std::uint64_t{4096}}) {
    write("a.h5", stripe, 0);
    write("b.h5", stripe, 1);
    EXPECT_TRUE(contents(path("a.h5")) == contents(path("b.h5")));
  }
  File one = File::create(path("one.h5"), world_);
  File two = File::create(path("two.h5"), world_);
  Dataset x =
      two.root().create_dataset("x", {.type = Datatype::of<int>(),
                                      .space = Dataspace({10}),
                                      .options = {.chunk = {10}, .filters = {Filter::deflate(1)}}});
  const AllocatedChunk of_another{x, {0}, {}};
  EXPECT_EQ(same_error([&] { write_allocated_chunks(one, {&of_another, 1}); }).code(),
            ErrorCode::invalid_argument);
  one.close();
  two.close();
}

TEST_F(StoredChunksTest, RanksThatPlaceOtherChunksDiverge) {
  if (size() == 1) GTEST_SKIP();
  File file = File::create(path(), world_);
  Dataset x = file.root().create_dataset(
      "x", {.type = Datatype::of<int>(), .space = Dataspace({40}), .options = {.chunk = {10}}});
  const NewChunk mine{.start = {rank() == last() ? 10U : 0U}};
  allocate_chunks(x, {&mine, 1});
  EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::diverged);
}

}  // namespace
}  // namespace onecast::test
