// Chunked datasets on several ranks: written together and independently, resized, in conflict
#include <cerrno>
#include <random>

#include "objects/chunked_model.hpp"
#include "parallel_test.hpp"
#include "support/fault_transport.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {

using namespace transport;
namespace {

const Datatype kInt32 = Datatype::of<std::int32_t>();

struct Storage {
  const char* name;
  std::vector<Filter> filters;
  Shape max_shape = {Dataspace::kUnlimited, Dataspace::kUnlimited};
  Profile profile = Profile::compatible;
};
const std::vector<Storage>& storages() {
  constexpr std::uint64_t kUnlimited = Dataspace::kUnlimited;
  const std::vector<Filter> some{Filter::shuffle(), Filter::deflate(1), Filter::fletcher32()};
  static const std::vector<Storage> all{
      {"plain", {}},
      {"filtered", some},
      {"fixed array", {}, {30, 15}, Profile::latest},
      {"extensible array", {}, {30, kUnlimited}, Profile::latest},
      {"extensible array, filtered", some, {kUnlimited, 15}, Profile::latest},
      {"version 2 B-tree, filtered", some, {kUnlimited, kUnlimited}, Profile::latest}};
  return all;
}

class ChunkedTest : public ParallelTest {
 protected:
  [[nodiscard]] File create(const std::string& file, const FileOptions& options = {}) const {
    return ParallelTest::create(file, options, {});
  }
  static Dataset create_chunked(Group group, const std::string& name, const Shape& shape,
                                const Shape& chunk, const Storage& storage,
                                std::optional<std::int32_t> fill = {}) {
    DatasetOptions options{.chunk = chunk, .filters = storage.filters};
    if (fill) options.fill_value = bytes_of(*fill);
    const bool same_rank = storage.max_shape.size() == shape.size();
    const Shape most = same_rank ? storage.max_shape : Shape(shape.size(), Dataspace::kUnlimited);
    return group.create_dataset(
        name, {.type = kInt32, .space = Dataspace(shape, most), .options = options});
  }

  /// Returns the rows `first` to `end` of `part`, the share of one rank.
  static Hyperslab rows_of(const Hyperslab& part, std::uint64_t first, std::uint64_t end) {
    Hyperslab mine = part;
    mine.start[0] += first * (part.stride.empty() ? 1 : part.stride[0]);
    mine.count[0] = end - first;
    return mine;
  }
  template <class Random>
  static std::vector<std::int32_t> values_for(const Hyperslab& part, Random& random) {
    std::vector<std::int32_t> values(count_of(part));
    for (auto& v : values) v = static_cast<std::int32_t>(random() % 100000);
    return values;
  }

  /// Makes the same calls with the same values on any number of ranks, which share each write.
  static void random_program(File& f, const Communicator& comm, const Storage& storage,
                             unsigned seed,
                             const std::function<void(Dataset&, ChunkedModel&)>& check) {
    std::mt19937 random(seed);  // equal on all ranks
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const auto me = static_cast<std::uint64_t>(comm.rank());
    const Shape start{20 + seed % 7, 11};
    Dataset data = create_chunked(f.root(), "d", start, {4, 3}, storage, -3);
    ChunkedModel model(start, -3);
    for (int step = 0; step < 25; ++step) {
      switch (random() % 7) {
        case 0:
          f.flush();
          break;
        case 1: {
          const Shape shape{random() % 30, random() % 15};
          data.resize(shape);
          model.resize(shape);
          break;
        }
        case 2: {
          const Hyperslab part = model.some_part(random);
          const auto values = values_for(part, random);
          data.write_equal(values, part);
          model.write(part, values);
          break;
        }
        default: {
          const Hyperslab part = model.some_part(random);
          const auto values = values_for(part, random);
          model.write(part, values);
          const std::uint64_t rows = part.count[0];
          const std::uint64_t first = rows * me / ranks;
          const std::uint64_t end = rows * (me + 1) / ranks;
          const std::uint64_t row = rows == 0 ? 0 : values.size() / rows;
          const std::vector<std::int32_t> mine(
              values.begin() + static_cast<std::ptrdiff_t>(first * row),
              values.begin() + static_cast<std::ptrdiff_t>(end * row));
          data.write_all(mine, rows_of(part, first, end));
        }
      }
      if (check) check(data, model);
    }
    f.close();
  }
};

TEST_F(ChunkedTest, RandomProgramsAgreeWithAModel) {
  for (const Storage& storage : storages()) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", storage.name, seed));
      File f = create(path(), {.profile = storage.profile});
      ChunkedModel last({}, 0);
      random_program(f, world_, storage, seed, [&](Dataset& data, ChunkedModel& model) {
        // Other ranks see what rank 0 writes for all after the next flush.
        f.flush();
        ASSERT_EQ(data.shape(), model.shape());
        const auto found = read_int32(data, model.all());
        barrier();  // other ranks may already write in place
        ASSERT_EQ(found, model.read(model.all()));
        last = model;
      });
      const File again = File::open(path(), Access::read_only, world_);
      ASSERT_EQ(read_int32(again.root().open_dataset("d"), last.all()), last.read(last.all()));
      barrier();
    }
  }
}

TEST_F(ChunkedTest, BytesDoNotDependOnTheNumberOfRanks) {
  for (const Storage& storage : storages()) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      std::vector<std::string> files;
      for (const int n : {1, 2, 3, 4, 7}) {
        if (n > size()) break;
        files.push_back(path(std::to_string(n) + ".h5"));
        if (const auto comm = first_ranks(n)) {
          File f =
              File::create(files.back(), *comm, {.profile = storage.profile, .page_size = 4096});
          random_program(f, *comm, storage, seed, {});
        }
        barrier();
      }
      const std::string expected = contents(files.front());
      for (const std::string& file : files)
        EXPECT_TRUE(contents(file) == expected)
            << storage.name << ", seed " << seed << ": " << file;
      barrier();
    }
  }
}

TEST_F(ChunkedTest, IndependentWritesAreSeenByTheirRankAtOnceAndByAllAfterAFlush) {
  for (const Storage& storage : storages()) {
    SCOPED_TRACE(storage.name);
    File f = create(path(), {.profile = storage.profile, .chunk_cache_bytes = 100});
    const auto ranks = static_cast<std::uint64_t>(size());
    Dataset data = create_chunked(f.root(), "d", {ranks * 6}, {3}, storage, 9);
    std::vector<std::int32_t> expected(ranks * 6, 9);
    for (int round = 0; round < 3; ++round) {
      const auto me = static_cast<std::uint64_t>(rank());
      // The part covers neither chunk completely.
      const Hyperslab part{{me * 6 + 1}, {4}};
      const auto mine = count_up(part, round * 1000);
      if (round != 1 || rank() == last()) data.write(mine, part);
      if (round != 1 || rank() == last()) {
        EXPECT_EQ(read_int32(data, part), mine);
      }
      f.flush();
      for (std::uint64_t r = round == 1 ? ranks - 1 : 0; r < ranks; ++r)
        for (std::uint64_t i = 1; i < 5; ++i)
          expected[r * 6 + i] = static_cast<std::int32_t>(r * 6 + i) + round * 1000;
      EXPECT_EQ(data.read<std::int32_t>(), expected) << round;
      barrier();
    }
    f.close();
    EXPECT_EQ(
        File::open(path(), Access::read_only, world_).root().open_dataset("d").read<std::int32_t>(),
        expected);
    barrier();
  }
}

TEST_F(ChunkedTest, UnfilteredChunksMayBeSharedByIndependentWrites) {
  File f = create(path());
  const auto elements = static_cast<std::uint64_t>(size()) * 5;
  // All elements are in one chunk, which is not allocated yet.
  Dataset data = create_chunked(f.root(), "d", {elements + 2}, {elements + 10}, storages()[0], -1);
  const Hyperslab mine = my_share(elements);
  data.write(count_up(mine), mine);
  f.flush();
  auto expected = count_up(elements);
  expected.resize(elements + 2, -1);
  EXPECT_EQ(data.read<std::int32_t>(), expected);
  // After shrinking and growing, the fill value is there again.
  data.resize({elements - 2});
  data.resize({elements + 2});
  const Hyperslab last_one{{elements + 1}, {1}};
  if (rank() == last()) data.write(std::vector<std::int32_t>{77}, last_one);
  if (rank() == 0) data.write(std::vector<std::int32_t>{78}, Hyperslab{{0}, {1}});
  f.close();
  expected[0] = 78;
  expected[elements - 2] = expected[elements - 1] = -1;
  expected[elements + 1] = 77;
  const File again = File::open(path(), Access::read_only, world_);
  EXPECT_EQ(again.root().open_dataset("d").read<std::int32_t>(), expected);
}

TEST_F(ChunkedTest, TwoRanksInOneFilteredChunkAreOneErrorAndAllElseIsKept) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  File f = create(path());
  const auto ranks = static_cast<std::uint64_t>(size());
  Dataset data = create_chunked(f.root(), "g/d", {10 * ranks}, {10}, storages()[1]);
  Dataset other = create_chunked(f.root(), "other", {10 * ranks}, {10}, storages()[1]);
  data.write_all(count_up(my_share(10 * ranks)), my_share(10 * ranks));
  f.flush();
  const Hyperslab mine = my_share(10 * ranks);
  other.write(count_up(mine, 5), mine);
  // The first and the last rank write to chunk 1.
  if (rank() == 0) data.write(std::vector<std::int32_t>{1, 2}, Hyperslab{{10}, {2}});
  if (rank() == last()) data.write(std::vector<std::int32_t>{3}, Hyperslab{{19}, {1}});
  if (rank() == 0) data.write(std::vector<std::int32_t>{500}, Hyperslab{{3}, {1}});
  const Error error = same_error([&] { f.flush(); });
  const std::string text = error.what();
  EXPECT_EQ(error.code(), ErrorCode::diverged) << text;
  for (const std::string& part :
       {path() + ": /g/d: chunk at (10)", std::string("ranks 0 and ") + std::to_string(last())})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  f.close();
  const File again = File::open(path(), Access::read_only, world_);
  auto expected = count_up(10 * ranks);
  expected[3] = 500;
  EXPECT_EQ(again.root().open_dataset("g/d").read<std::int32_t>(), expected);
  EXPECT_EQ(again.root().open_dataset("other").read<std::int32_t>(), count_up(10 * ranks, 5));
}

TEST_F(ChunkedTest, WhatIsPendingComesBeforeACollectiveWrite) {
  for (const Storage& storage : storages()) {
    File f = create(path(), {.profile = storage.profile});
    const auto elements = static_cast<std::uint64_t>(size()) * 4;
    Dataset data = create_chunked(f.root(), "d", {elements}, {elements}, storage, 0);
    if (rank() == last()) data.write(std::vector<std::int32_t>{41, 42}, Hyperslab{{0}, {2}});
    const Hyperslab part = rank() == 0 ? Hyperslab{{1}, {2}} : nothing();
    data.write_all(rank() == 0 ? std::vector<std::int32_t>{51, 52} : std::vector<std::int32_t>{},
                   part);
    std::vector<std::int32_t> expected(elements);
    expected[0] = 41;
    expected[1] = 51;
    expected[2] = 52;
    EXPECT_EQ(data.read<std::int32_t>(), expected) << storage.name;
    f.close();
  }
}

// A rank learns that another rank wrote to a dataset before it has looked at the dataset.
TEST_F(ChunkedTest, HeardOfBeforeItIsLookedAt) {
  {
    File f = create(path());
    create_chunked(f.root().create_group("group"), "x", {8, 8}, {4, 4}, storages()[1]);
    f.close();
  }
  File f = File::open(path(), Access::read_write, world_);
  const auto values = count_up(64);
  if (rank() == last()) f.root().open_dataset("group/x").write(values);
  f.flush();
  Dataset x = f.root().open_dataset("group/x");
  EXPECT_EQ(x.read<std::int32_t>(), values);
  x.write_equal(std::as_bytes(std::span(values)));
  x.resize({9, 8});
  f.close();
}

TEST_F(ChunkedTest, RemovedDatasetsAreForgotten) {
  File f = create(path());
  Dataset data = create_chunked(f.root(), "d", {100}, {10}, storages()[1]);
  if (rank() == last()) data.write(count_up(100));
  f.root().remove("d");
  create_int32(f.root(), "d", 5);
  f.close();
  EXPECT_EQ(File::open(path(), Access::read_only, world_).root().open_dataset("d").shape(),
            Shape{5});
}

TEST_F(ChunkedTest, DifferentDatasetsAreRefused) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  File f = create(path());
  Dataset a = create_chunked(f.root(), "a", {10}, {5}, storages()[1]);
  Dataset b = create_chunked(f.root(), "b", {10}, {5}, storages()[1]);
  Dataset c = create_int32(f.root(), "c", 10'000);
  EXPECT_EQ(same_error([&] { (rank() == 0 ? a : b).write_all(count_up(10)); }).code(),
            ErrorCode::diverged);
  EXPECT_EQ(same_error([&] {
              rank() == 0 ? a.write_all(count_up(10)) : c.write_all(count_up(10'000));
            }).code(),
            ErrorCode::diverged);
  f.close();
}

TEST_F(ChunkedTest, AWriteThatFailsOnOneRankFailsOnAllAndNobodyWaits) {
  constexpr std::uint64_t kElements = 4000;
  for (const Storage& storage : storages()) {
    for (int failing = 0; failing < size(); ++failing) {
      for (std::uint64_t call = 1; call < 40; ++call) {
        SCOPED_TRACE(fmt::format("{}, rank {}, write {}", storage.name, failing, call));
        auto plan = std::make_shared<FaultPlan>();
        File f = ParallelTest::create(path(), {.profile = storage.profile},
                                      fault_factory(posix_factory(), plan));
        Dataset data = create_chunked(f.root(), "d", {kElements}, {300}, storage);
        const Hyperslab mine = my_share(kElements);
        data.write_all(count_up(mine), mine);
        f.flush();
        plan->writes = 0;
        if (rank() == failing) plan->faults.push_back({FaultPlan::Call::write, call, EIO, 0, 1});
        std::string outcome = "all went well";
        try {
          data.resize({kElements / 2});
          data.resize({kElements});
          data.write_all(count_up(mine, 7), mine);
          f.flush();
        } catch (const Error& error) {
          outcome = error.what();
        }
        for (const std::string& text : everyones(outcome)) ASSERT_EQ(text, outcome);
        const bool ok = outcome == "all went well";
        plan->faults.clear();
        if (ok && call > 1) {
          f.close();
          break;
        }
        // The call can be repeated, and the next flush is right.
        data.write_all(count_up(mine, 9), mine);
        f.close();
        const File again = File::open(path(), Access::read_only, world_);
        ASSERT_EQ(again.root().open_dataset("d").read<std::int32_t>(), count_up(kElements, 9));
        barrier();
      }
    }
  }
}

TEST_F(ChunkedTest, NothingPendingCostsNothing) {
  File f = create(path());
  Dataset data = create_chunked(f.root(), "d", {100}, {10}, storages()[0]);
  data.write_all(count_up(my_share(100)), my_share(100));
  f.flush();
  const CommunicatorBackend& comm = backend_of(f.communicator());
  const std::uint64_t header = size() == 1 ? 0 : 1;
  std::uint64_t before = comm.collectives();
  data.write_all(count_up(my_share(100), 3), my_share(100));
  EXPECT_EQ(comm.collectives() - before, header) << "chunks that have their place";
  before = comm.collectives();
  f.flush();
  EXPECT_EQ(comm.collectives() - before, header);
  f.close();
}

/// Before any flush, each rank reads another part of data that only rank 0 has in filtered form.
TEST_F(ChunkedTest, WhatOneRankWroteForAllIsReadByAll) {
  for (const TransferMethod method : {TransferMethod::automatic, TransferMethod::plain,
                                      TransferMethod::independent, TransferMethod::collective})
    for (const Storage& storage : storages()) {
      File file = create(path(), {.method = method});
      const auto first = count_up(1000);
      const auto then = count_up(1000, 7);
      Dataset x =
          file.root().create_dataset("x", {.type = kInt32,
                                           .space = Dataspace({1000}, {Dataspace::kUnlimited}),
                                           .data = std::as_bytes(std::span(first)),
                                           .options = {.chunk = {64}, .filters = storage.filters}});
      Dataset y = create_chunked(file.root(), "y", {1000}, {64}, storage);
      y.write_equal(std::as_bytes(std::span(first)));
      const Hyperslab part = my_share(1000);
      std::vector<std::int32_t> found(static_cast<std::size_t>(part.count[0]));
      std::vector<std::int32_t> found_too(found.size());
      const auto room = [](auto& values) { return std::as_writable_bytes(std::span(values)); };
      x.read_all(room(found), part);
      EXPECT_EQ(found, count_up(part)) << storage.name;
      x.write_equal(std::as_bytes(std::span(then)));
      const std::vector<ReadRequest> list{{x, room(found), part}, {y, room(found_too), part}};
      file.read_multi(list);
      EXPECT_EQ(found, count_up(part, 7)) << storage.name;
      EXPECT_EQ(found_too, count_up(part)) << storage.name;
      file.close();
      barrier();
    }
}

}  // namespace
}  // namespace onecast::test
