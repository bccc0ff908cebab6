#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "striped_table_test.hpp"

namespace onecast::test {
namespace {

/// Contiguous datasets in small pieces, which all ranks transfer together.
class SmallPiecesTest : public StripedTableTest {
 protected:
  [[nodiscard]] std::vector<std::int32_t> values(int rank) const {
    std::vector<std::int32_t> all;
    for (std::uint64_t row = 0; row < kRows; ++row)
      for (std::uint64_t c = 0; c < kColumns; ++c)
        all.push_back(static_cast<std::int32_t>(row * width() +
                                                static_cast<std::uint64_t>(rank) * kColumns + c));
    return all;
  }
  Dataset create_table(Group group, const std::string& name) const {
    return group.create_dataset(name, {.type = Datatype::of<std::int32_t>(),
                                       .space = Dataspace({kRows, width()}),
                                       .options = {.layout = Layout::contiguous}});
  }
};

TEST_F(SmallPiecesTest, ColumnsMakeATable) {
  File file = File::create(path(), world_);
  Dataset x = create_table(file.root(), "x");
  const IoStats before = file.io_stats();
  x.write_all(values(rank()), columns(rank()));
  const auto writes = everyones(file.io_stats().writes - before.writes);
  std::uint64_t sum = 0;
  for (const std::uint64_t n : writes) sum += n;
  if (size() > 1) {
    const std::uint64_t stripes = kRows * width() * sizeof(std::int32_t) / 256;
    EXPECT_LE(sum, stripes + 1) << "a stripe by one call";
    EXPECT_GE(x.read_all<std::int32_t>().size(), 1U);
  }
  std::vector<std::int32_t> back(values(rank()).size());
  x.read_all(std::as_writable_bytes(std::span(back)), columns(last() - rank()));
  EXPECT_EQ(back, values(last() - rank()));
  file.close();

  File again = File::open(path(), Access::read_only, world_);
  const Dataset y = again.root().open_dataset("x");
  EXPECT_EQ(y.read_all<std::int32_t>(), count_up(kRows * width()));
  y.read_all(std::as_writable_bytes(std::span(back)), columns(rank()));
  EXPECT_EQ(back, values(rank()));
}

TEST_F(SmallPiecesTest, OthersMayHaveNothing) {
  File file = File::create(path(), world_);
  Dataset mine = create_table(file.root(), "x");
  // The last rank writes nothing here.
  if (rank() == last())
    mine.write_all(std::as_bytes(std::span<const std::int32_t>()), Selection::none());
  else
    mine.write_all(values(rank()), columns(rank()));
  std::vector<std::int32_t> back(values(rank()).size());
  mine.read_all(std::as_writable_bytes(std::span(back)), columns(rank()));
  if (rank() != last()) {
    EXPECT_EQ(back, values(rank()));
  } else {
    EXPECT_EQ(back, std::vector<std::int32_t>(back.size()));
  }
}

TEST_F(SmallPiecesTest, OneFailsAllFail) {
  File file = File::create(path(), world_);
  Dataset x = create_table(file.root(), "x");
  const Error error = same_error([&] {
    auto some = values(rank());
    if (rank() == last()) some.pop_back();
    x.write_all(some, columns(rank()));
  });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
  x.write_all(values(rank()), columns(rank()));
}

TEST_F(SmallPiecesTest, RanksOfPretendedNodesWriteTheSame) {
  std::string whole;
  for (const char* ranks_per_node : {"1", "2", "100"}) {
    setenv("ONECAST_RANKS_PER_NODE", ranks_per_node, 1);
    {
      const Communicator nodes = mpi_communicator(MPI_COMM_WORLD);
      File file = File::create(path(ranks_per_node), nodes);
      create_table(file.root(), "x").write_all(values(rank()), columns(rank()));
      file.close();
    }
    const std::string bytes = contents(path(ranks_per_node));
    if (whole.empty()) whole = bytes;
    EXPECT_TRUE(bytes == whole);
  }
  unsetenv("ONECAST_RANKS_PER_NODE");
}

}  // namespace
}  // namespace onecast::test
