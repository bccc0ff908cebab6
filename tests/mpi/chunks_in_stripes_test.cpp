// Chunks on contended stripes, gathered at their owners
#include "striped_table_test.hpp"

namespace onecast::test {
namespace {

class ChunksInStripesTest : public StripedTableTest {
 protected:
  static constexpr std::uint64_t kSize = 64;  // the size of a table in each direction

  static std::vector<DatasetOptions> storages() {
    std::vector<DatasetOptions> all(4);
    all[0].chunk = {10, 7};
    all[1].chunk = {10, 7};
    const std::int32_t nine = 9;
    const auto fill = std::as_bytes(std::span(&nine, 1));
    all[1].fill_value.emplace(fill.begin(), fill.end());
    all[2].chunk = {10, 7};
    all[2].filters = {Filter::shuffle(), Filter::deflate(1)};
    all[3].chunk = {1, kSize};
    return all;
  }
  static void write_rows(Dataset& x, std::uint64_t first, std::uint64_t rows, std::uint64_t step,
                         std::int32_t value) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(rows * kSize));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value + static_cast<std::int32_t>((first + i / kSize * step) * kSize + i % kSize);
    x.write_all(std::as_bytes(std::span(values)),
                Hyperslab{{first, 0}, {rows, kSize}, {step, 1}, {}});
  }
  /// Rank r modulo `parts` writes row r. Some rows are left out, and some are written twice.
  static void write(File& file, int index, int parts) {
    const auto first = static_cast<std::uint64_t>(index);
    const auto step = static_cast<std::uint64_t>(parts);
    int number = 0;
    for (const DatasetOptions& storage : storages()) {
      Dataset x = file.root().create_dataset(std::to_string(number++),
                                             {.type = Datatype::of<std::int32_t>(),
                                              .space = Dataspace({kSize, kSize}),
                                              .options = storage});
      write_rows(x, first, (40 - first + step - 1) / step, step, 0);
      file.flush();
      write_rows(x, first, (50 - first + step - 1) / step, step, 100);
    }
  }
};

TEST_F(ChunksInStripesTest, TheBytesOfOneProcess) {
  for (const TransferMethod method : {TransferMethod::automatic, TransferMethod::collective}) {
    FileOptions options;
    options.page_size = 4096;
    options.method = method;
    File file = File::create(path(), world_, options);
    write(file, rank(), size());
    file.close();
    if (const auto alone = first_ranks(1)) {
      File one = File::create(path("one.h5"), *alone, options);
      write(one, 0, 1);
      one.close();
    }
    EXPECT_TRUE(contents(path()) == contents(path("one.h5")));
    const File again = File::open(path(), Access::read_only, world_);
    for (int number = 0; number < 4; ++number) {
      const Dataset x = again.root().open_dataset(std::to_string(number));
      const Hyperslab mine{{0, static_cast<std::uint64_t>(rank())}, {kSize, 5}};
      std::vector<std::int32_t> found(kSize * 5);
      x.read_all(std::as_writable_bytes(std::span(found)), mine);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t row = i / 5;
        const auto value = static_cast<std::int32_t>(row * kSize + mine.start[1] + i % 5 + 100);
        EXPECT_EQ(found[i], row < 50 ? value : number == 1 ? 9 : 0) << number;
      }
    }
    barrier();
  }
}

TEST_F(ChunksInStripesTest, AStripeHasOneWriter) {
  if (size() == 1) GTEST_SKIP() << "one rank writes all there is";
  File file = File::create(path(), world_);
  constexpr std::uint64_t kMany = 96;
  DatasetOptions storage;
  storage.chunk = {1, width()};
  Dataset x = file.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                               .space = Dataspace({kMany, width()}),
                                               .options = storage});
  // The parts are columns, so all ranks have some of each chunk.
  const Hyperslab columns{{0, static_cast<std::uint64_t>(rank()) * kColumns}, {kMany, kColumns}};
  const auto values = count_up(kMany * kColumns, rank());
  for (int turn = 0; turn < 2; ++turn) {  // first new chunks, then existing ones
    const std::uint64_t before = file.io_stats().writes;
    x.write_all(std::as_bytes(std::span(values)), columns);
    std::uint64_t writes = 0;
    for (const std::uint64_t n : everyones(file.io_stats().writes - before)) writes += n;
    EXPECT_LE(writes, kMany * width() * sizeof(std::int32_t) / 256 + 2) << turn;
  }
  std::vector<std::int32_t> found(values.size());
  x.read_all(std::as_writable_bytes(std::span(found)), columns);
  EXPECT_EQ(found, values);
}

/// A variable with many time steps needs one plan of exchange.
TEST_F(ChunksInStripesTest, TimeStepsNeedNoNewPlan) {
  if (size() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  constexpr std::uint64_t kSteps = 5;
  constexpr std::uint64_t kMany = 96;  // with 16 bytes of each rank: a multiple of 3 stripes
  File file = File::create(path(), world_);
  Dataset x = file.root().create_dataset("x", {.type = Datatype::of<std::int32_t>(),
                                               .space = Dataspace({kSteps, kMany, width()}),
                                               .options = {.layout = Layout::contiguous}});
  backend_of(world_).nodes();
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    const std::uint64_t before = file.io_stats().collectives;
    x.write_all(count_up(kMany * kColumns, static_cast<std::int32_t>(step)),
                Hyperslab{{step, 0, static_cast<std::uint64_t>(rank()) * kColumns},
                          {1, kMany, kColumns},
                          {},
                          {}});
    const std::uint64_t collectives = file.io_stats().collectives - before;
    EXPECT_EQ(collectives, step == 0 ? 4U : 2U);
  }
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    std::vector<std::int32_t> found(kMany * kColumns);
    x.read(std::as_writable_bytes(std::span(found)),
           Hyperslab{{step, 0, static_cast<std::uint64_t>(rank()) * kColumns},
                     {1, kMany, kColumns},
                     {},
                     {}});
    EXPECT_EQ(found, count_up(kMany * kColumns, static_cast<std::int32_t>(step)));
  }
}

}  // namespace
}  // namespace onecast::test
