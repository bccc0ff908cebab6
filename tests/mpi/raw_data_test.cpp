// Reading and writing data on all ranks, together and independently
#include "parallel_test.hpp"
#include "support/environment.hpp"

namespace onecast::test {
namespace {

class RawDataTest : public ParallelTest, public testing::WithParamInterface<std::uint64_t> {
 protected:
  /// One dataset is compact, the other contiguous.
  static constexpr std::uint64_t kSmall = 60;
  static constexpr std::uint64_t kLarge = 7000;

  static std::vector<std::int32_t> values_of(const std::string& file) {
    return File::open(file).root().open_dataset("x").read<std::int32_t>();
  }
  static std::vector<std::int32_t> read_all(const Dataset& x, const Hyperslab& part) {
    std::vector<std::int32_t> values(part.count[0]);
    x.read_all(std::as_writable_bytes(std::span(values)), part);
    return values;
  }
  static std::vector<std::int32_t> read(const Dataset& x, const Hyperslab& part) {
    std::vector<std::int32_t> values(part.count[0]);
    x.read(std::as_writable_bytes(std::span(values)), part);
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Layouts, RawDataTest, testing::Values(60U, 7000U));

TEST_P(RawDataTest, PartsTogether) {
  const std::uint64_t n = GetParam();
  const Hyperslab mine = my_share(n);
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  x.write_all(count_up(mine), mine);
  EXPECT_EQ(x.read_all<std::int32_t>(), count_up(n)) << "before any flush";
  EXPECT_EQ(read_all(x, share(n, last() - rank(), size())),
            count_up(share(n, last() - rank(), size())));
  file.close();
  EXPECT_EQ(values_of(path()), count_up(n));
}

TEST_P(RawDataTest, PartsIndependently) {
  const std::uint64_t n = GetParam();
  const Hyperslab mine = my_share(n);
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  x.write(count_up(mine), mine);
  EXPECT_EQ(read(x, mine), count_up(mine)) << "what one wrote oneself";
  file.flush();
  EXPECT_EQ(x.read<std::int32_t>(), count_up(n)) << "what all wrote";
  barrier();
  x.write(count_up(mine, 5), mine);
  file.close();
  EXPECT_EQ(values_of(path()), count_up(n, 5));
}

TEST_P(RawDataTest, InterleavedParts) {
  const std::uint64_t n = GetParam();
  const auto ranks = static_cast<std::uint64_t>(size());
  const auto me = static_cast<std::uint64_t>(rank());
  const std::uint64_t each = n / ranks;
  const Hyperslab mine{{me}, {each}, {ranks}, {}};
  std::vector<std::int32_t> values;
  for (std::uint64_t i = 0; i < each; ++i)
    values.push_back(static_cast<std::int32_t>(me + i * ranks));
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  x.write_all(values, mine);
  EXPECT_EQ(read_all(x, mine), values);
  file.close();
  const auto found = values_of(path());
  for (std::uint64_t i = 0; i < n; ++i)
    ASSERT_EQ(found[i], i < each * ranks ? static_cast<std::int32_t>(i) : 0) << i;
}

TEST_P(RawDataTest, OverlappingPartsGoByRank) {
  const std::uint64_t n = GetParam();
  if (n == kLarge) GTEST_SKIP() << "the order is the file system's";
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  x.write_all(count_up(n, rank()));
  EXPECT_EQ(x.read<std::int32_t>(), count_up(n, last()));
  x.write(count_up(n, 100 + rank()));
  file.flush();
  EXPECT_EQ(x.read<std::int32_t>(), count_up(n, 100 + last()));
  if (rank() == 0) x.write(count_up(n, 200));
  file.flush();
  EXPECT_EQ(x.read<std::int32_t>(), count_up(n, 200)) << "by one rank alone";
  file.close();
  EXPECT_EQ(values_of(path()), count_up(n, 200));
}

TEST_P(RawDataTest, RanksWithNothingToDo) {
  const std::uint64_t n = GetParam();
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  for (int busy = 0; busy < size(); ++busy) {
    const Hyperslab mine = rank() == busy ? share(n, busy, size()) : nothing();
    x.write_all(count_up(mine), mine);
    EXPECT_EQ(read_all(x, mine), count_up(mine));
  }
  x.write_all(std::vector<std::int32_t>{}, nothing());
  EXPECT_TRUE(read_all(x, nothing()).empty());
  file.close();
  EXPECT_EQ(values_of(path()), count_up(n));
}

TEST_P(RawDataTest, NoElementsAtAll) {
  File file = File::create(path(), world_);
  Dataset x = file.root().create_dataset("x", {Datatype::of<double>(), Dataspace({GetParam(), 0})});
  Dataset null = file.root().create_dataset("null", {Datatype::of<double>(), Dataspace::null()});
  for (Dataset d : {x, null}) {
    d.write_all(std::vector<double>{});
    d.write(std::vector<double>{});
    EXPECT_TRUE(d.read_all<double>().empty());
    EXPECT_TRUE(d.read<double>().empty());
  }
  file.close();
}

TEST_P(RawDataTest, EqualWrites) {
  const std::uint64_t n = GetParam();
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", n);
  const IoStats before = file.io_stats();
  const auto values = count_up(n, 3);
  x.write_equal(std::as_bytes(std::span(values)));
  EXPECT_EQ(file.io_stats().collectives, before.collectives);
  EXPECT_EQ(file.io_stats().writes - before.writes, rank() == 0 && n == kLarge ? 1U : 0U);
  const auto two = count_up(Hyperslab{{7}, {2}}, 50);
  x.write_equal(std::as_bytes(std::span(two)), Hyperslab{{7}, {2}});
  file.close();
  const auto found = values_of(path());
  EXPECT_EQ(found[6], 9);
  EXPECT_EQ(found[7], 57);
  EXPECT_EQ(found[8], 58);
  EXPECT_EQ(found[9], 12);
}

TEST_P(RawDataTest, OtherByteOrder) {
  const std::uint64_t n = GetParam();
  const Hyperslab mine = my_share(n);
  File file = File::create(path(), world_);
  Dataset x =
      file.root().create_dataset("x", {Datatype::integer(4, true, ByteOrder::big), Dataspace({n})});
  x.write_all(count_up(mine), mine);
  EXPECT_EQ(x.read_all<std::int32_t>(), count_up(n));
  // Ranks may want the parts in different orders.
  std::vector<std::int32_t> values(n);
  const ByteOrder order = rank() == 0 ? ByteOrder::big : ByteOrder::little;
  x.read_all(std::as_writable_bytes(std::span(values)),
             {.memory_type = Datatype::integer(4, true, order)});
  EXPECT_EQ(values[1], rank() == 0 ? 1 << 24U : 1);
  file.close();
}

TEST_F(RawDataTest, EqualSelectionsAreReadOnce) {
  // The data lies behind what an open reads first.
  File made = File::create(path(), world_, {.page_size = 1U << 20U});
  made.root().create_dataset("x", {kLarge}, count_up(kLarge));
  made.close();
  File file = File::open(path(), Access::read_only, world_);
  const Dataset x = file.root().open_dataset("x");
  const IoStats before = file.io_stats();
  EXPECT_EQ(x.read_all<std::int32_t>(), count_up(kLarge));
  const IoStats after = file.io_stats();
  EXPECT_EQ(after.reads - before.reads, rank() == 0 ? 1U : 0U);
  EXPECT_EQ(after.opens, rank() == 0 ? 1U : 0U);
  EXPECT_LE(after.collectives - before.collectives, 4U);
  // With different selections each rank reads its own.
  const Hyperslab mine = my_share(kLarge);
  EXPECT_EQ(read_all(x, mine), count_up(mine));
  EXPECT_LE(file.io_stats().reads - after.reads, 1U);
}

TEST_F(RawDataTest, DifferentDatasetsAreDifferentCalls) {
  if (size() == 1) GTEST_SKIP() << "one rank reads one";
  File made = File::create(path(), world_);
  for (int i = 0; i < 2; ++i) {
    made.root().create_dataset("large " + std::to_string(i), {kLarge}, count_up(kLarge, i));
    made.root().create_dataset("small " + std::to_string(i), {kSmall}, count_up(kSmall, i));
  }
  made.close();
  File file = File::open(path(), Access::read_only, world_);
  const Group root = file.root();
  const bool odd = rank() == last();
  for (const auto& [one, other] : {std::pair{"large 0", "large 1"}, std::pair{"small 0", "small 1"},
                                   std::pair{"large 0", "small 0"}}) {
    const Dataset mine = root.open_dataset(odd ? other : one);
    const Error error = same_error([&] { static_cast<void>(mine.read_all<std::int32_t>()); });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    EXPECT_NE(std::string(error.what()).find(std::string(other) + '"'), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(root.open_dataset("large 1").read_all<std::int32_t>(), count_up(kLarge, 1));
}

TEST_F(RawDataTest, MoreThanASegmentIsBroadcast) {
  if (size() > 3) GTEST_SKIP() << "to spare memory";
  const SharesNoMemory broadcasts;
  constexpr std::uint64_t kHuge =
      (CommunicatorBackend::kSegment + (3 << 20U)) / sizeof(std::int32_t);
  const Hyperslab mine = my_share(kHuge);
  File file = File::create(path(), world_);
  Dataset x = create_int32(file.root(), "x", kHuge);
  x.write_all(count_up(mine), mine);
  const IoStats before = file.io_stats();
  const auto all = x.read_all<std::int32_t>();
  if (size() > 1) {
    EXPECT_EQ(file.io_stats().collectives - before.collectives, 3U)
        << "comparison, status with the first segment, another segment";
  }
  EXPECT_TRUE(all == count_up(kHuge));
  file.close();
}

}  // namespace
}  // namespace onecast::test
