// Options and hints for the way in which collective transfers reach the file
#include <algorithm>
#include <numeric>
#include <string>

#include "objects/files/file_access.hpp"
#include "parallel_test.hpp"
#include "support/file_states.hpp"

namespace onecast::test {
namespace {

constexpr TransferMethod kMethods[] = {TransferMethod::automatic, TransferMethod::plain,
                                       TransferMethod::independent, TransferMethod::collective,
                                       TransferMethod::broadcast};

class TransferOptionsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kRows = 128;
  static constexpr std::uint64_t kColumns = 64;  // the columns of each rank

  [[nodiscard]] std::uint64_t width() const {
    return kColumns * static_cast<std::uint64_t>(size());
  }
  [[nodiscard]] Hyperslab columns() const {
    return {{0, static_cast<std::uint64_t>(rank()) * kColumns}, {kRows, kColumns}, {}, {}};
  }
  [[nodiscard]] Hyperslab rows() const {
    const std::uint64_t each = kRows / static_cast<std::uint64_t>(size());
    return {{static_cast<std::uint64_t>(rank()) * each, 0}, {each, width()}, {}, {}};
  }
  [[nodiscard]] Dataset create_table(Group group) const {
    return group.create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                      .space = Dataspace({kRows, width()}),
                                      .options = {.layout = Layout::contiguous}});
  }
  /// Returns the elements of count_up().
  [[nodiscard]] std::vector<std::int32_t> values(const Hyperslab& part) const {
    std::vector<std::int32_t> all;
    for (std::uint64_t i = 0; i < part.count[0]; ++i)
      for (std::uint64_t j = 0; j < part.count[1]; ++j)
        all.push_back(static_cast<std::int32_t>((part.start[0] + i) * width() + part.start[1] + j));
    return all;
  }
  static std::vector<std::int32_t> together(const Dataset& x, const Hyperslab& part) {
    std::vector<std::int32_t> found(static_cast<std::size_t>(part.count[0] * part.count[1]));
    x.read_all(std::as_writable_bytes(std::span(found)), part);
    return found;
  }
  /// Returns the number of ranks on which `work` made read calls or write calls.
  template <class F>
  std::size_t busy(const File& file, std::uint64_t IoStats::* calls, F&& work) const {
    const auto all = everyones(counts(file, std::forward<F>(work)).*calls);
    return all.size() - static_cast<std::size_t>(std::count(all.begin(), all.end(), 0U));
  }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(size()); }
};

TEST_F(TransferOptionsTest, EachMethodTransfersTheSame) {
  std::string whole;
  for (const TransferMethod method : kMethods)
    for (const bool by_rows : {false, true}) {
      const Hyperslab part = by_rows ? rows() : columns();
      if (by_rows && kRows % ranks() != 0) continue;
      File file = File::create(path(), world_, {.stripe_size = 1000, .method = method});
      Dataset x = create_table(file.root());
      x.write_all(values(part), part);
      file.flush();
      EXPECT_EQ(together(x, part), values(part));
      EXPECT_EQ(x.read_all<std::int32_t>(), count_up(kRows * width()));
      file.close();
      const std::string bytes = contents(path());
      if (whole.empty()) whole = bytes;
      EXPECT_TRUE(bytes == whole);
      barrier();
    }
}

TEST_F(TransferOptionsTest, OneAggregatorTransfersForAll) {
  if (size() == 1) GTEST_SKIP() << "one rank transfers for itself";
  const FileOptions options{.stripe_size = 4096,
                            .stripe_count = 3,
                            .method = TransferMethod::collective,
                            .aggregators = 1};
  File file = File::create(path(), world_, options);
  Dataset x = create_table(file.root());
  EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); }), 1U);
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { together(x, columns()); }), 1U);
}

TEST_F(TransferOptionsTest, OnlyAggregatorsOpenTheFile) {
  const FileOptions options{.stripe_size = 4096,
                            .stripe_count = 4,
                            .method = TransferMethod::collective,
                            .aggregators = 2};
  {
    File file = File::create(path(), world_, options);
    Dataset x = create_table(file.root());
    const std::size_t writers =
        busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); });
    EXPECT_EQ(writers, std::min<std::size_t>(2, ranks()));
    EXPECT_EQ(file.io_stats().opens != 0, rank() == 0 || file.io_stats().writes != 0);
    file.close();
  }
  barrier();
  const File file = File::open(path(), Access::read_only, world_, options);
  EXPECT_EQ(together(file.root().open_dataset("x"), columns()), values(columns()));
  EXPECT_EQ(file.io_stats().opens != 0, rank() == 0 || file.io_stats().reads != 0);
  std::size_t opened = 0;
  for (const std::uint64_t n : everyones(file.io_stats().opens)) opened += n;
  EXPECT_LE(opened, 3U);
}

TEST_F(TransferOptionsTest, OneTransfersForAllWhatAllWant) {
  if (size() == 1) GTEST_SKIP() << "one rank transfers for itself";
  File file = File::create(path(), world_, {.method = TransferMethod::broadcast});
  Dataset x = create_table(file.root());
  // On an ordinary file system each rank would write its own part.
  const Hyperslab part{{0, 0}, {1, width()}};
  EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(part), part); }), 1U);
  EXPECT_EQ(file.explain().rfind("write_all: broadcast: it was requested", 0), 0U)
      << file.explain();
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { EXPECT_EQ(together(x, part), values(part)); }), 1U);
  EXPECT_EQ(file.explain().rfind("read_all: broadcast: ", 0), 0U) << file.explain();
  x.write_all(values(columns()), columns());
  EXPECT_EQ(file.explain().rfind("write_all: collective: broadcast was requested, but ", 0), 0U)
      << file.explain();
  EXPECT_EQ(together(x, columns()), values(columns()));
  EXPECT_EQ(file.explain().rfind("read_all: collective: broadcast was requested, but ", 0), 0U)
      << file.explain();
}

TEST_F(TransferOptionsTest, TheHintOfABufferBoundsWhatIsUsed) {
  if (size() == 1) GTEST_SKIP() << "one rank transfers for itself";
  for (const char* bytes : {"65536", "1048576"}) {
    const auto state = create_state(
        path(), world_,
        {.hints = {{"cb_buffer_size", bytes}, {"romio_cb_write", "enable"}, {"cb_nodes", "1"}}},
        {});
    const File file = FileAccess::file(state);
    const std::uint64_t count = 100'000 * ranks();
    Dataset x = create_int32(file.root(), "x", count);
    const Hyperslab mine{{static_cast<std::uint64_t>(rank())}, {100'000}, {ranks()}, {}};
    x.write_all(std::vector<std::int32_t>(100'000, 1), mine);
    const std::uint64_t peak = state->transfers().collective->stats().buffer_peak;
    const bool small = std::string(bytes) == "65536";
    EXPECT_LE(peak, small ? 65536U : 1048576U);
    if (rank() == 0 && !small) {
      EXPECT_GT(peak, 65536U);
    }
  }
}

TEST_F(TransferOptionsTest, TheHintOfStripesSaysWhoWrites) {
  if (size() < 3) GTEST_SKIP() << "as many aggregators";
  for (const std::uint32_t count : {1U, 2U, 3U}) {
    File file = File::create(path(), world_,
                             {.hints = {{"striping_unit", "4096"},
                                        {"striping_factor", std::to_string(count)},
                                        {"collective_buffering", "true"}}});
    Dataset x = create_table(file.root());
    EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); }),
              count);
    file.close();
    barrier();
  }
}

TEST_F(TransferOptionsTest, PlainExchangesNothing) {
  File file = File::create(path(), world_, {.method = TransferMethod::plain});
  Dataset x = create_table(file.root());
  const std::uint64_t collectives = file.io_stats().collectives;
  x.write_all(values(columns()), columns());
  EXPECT_LE(file.io_stats().collectives - collectives, 1U);
  EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); }),
            ranks());
  // This applies even to parts that all ranks want.
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { static_cast<void>(x.read_all<std::int32_t>()); }),
            ranks());
}

TEST_F(TransferOptionsTest, IndependentRanksReadOnceWhatAllWant) {
  if (size() == 1) GTEST_SKIP() << "one rank reads for itself";
  File file = File::create(path(), world_, {.method = TransferMethod::independent});
  Dataset x = create_table(file.root());
  EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); }),
            ranks());
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { together(x, columns()); }), ranks());
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { static_cast<void>(x.read_all<std::int32_t>()); }),
            1U);
}

TEST_F(TransferOptionsTest, HintsOfMpi) {
  EXPECT_TRUE(hints_of(MPI_INFO_NULL).empty());
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [name, value] : {std::pair("striping_unit", "8192"),
                                    {"striping_factor", "5"},
                                    {"cb_nodes", "1"},
                                    {"cb_buffer_size", "1048576"},
                                    {"romio_cb_write", "enable"},
                                    {"romio_cb_read", "disable"},
                                    {"romio_ds_write", "disable"},
                                    {"e10_cache", "enable"}})
    MPI_Info_set(info, name, value);
  FileOptions options;
  options.hints = hints_of(info);
  MPI_Info_free(&info);
  EXPECT_EQ(options.hints.size(), 8U);
  options.stripe_size = 4096;  // options take precedence over hints
  File file = File::create(path(), world_, options);
  EXPECT_EQ(file.unused_hints(), std::vector<std::string>{"e10_cache"});
  Dataset x = create_table(file.root());
  if (size() == 1) return;
  EXPECT_EQ(busy(file, &IoStats::writes, [&] { x.write_all(values(columns()), columns()); }), 1U);
  EXPECT_EQ(busy(file, &IoStats::reads, [&] { together(x, columns()); }), ranks());
  EXPECT_NE(file.explain().find("stripes of 4096 bytes"), std::string::npos) << file.explain();
}

TEST_F(TransferOptionsTest, DifferentOnesAreAnError) {
  if (size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  FileOptions options;
  if (rank() == last()) options.hints = {{"cb_nodes", "2"}};
  EXPECT_EQ(same_error([&] { File::create(path(), world_, options); }).code(), ErrorCode::diverged);
  options.hints = {{"cb_nodes", "many"}};
  const Error error = same_error([&] { File::create(path(), world_, options); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("cb_nodes"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace onecast::test
