// Large data that all ranks read alike: one rank reads it, and the ranks of each node copy it from
// memory that they share.
#include "faults.hpp"
#include "onecast/comm/mpi.hpp"
#include "onecast/objects/multi.hpp"
#include "parallel_test.hpp"
#include "support/environment.hpp"

namespace onecast::test {
namespace {

class EqualReadsTest : public ParallelTest {
 protected:
  static constexpr std::uint64_t kElements = std::uint64_t{1} << 20U;  // 4 MiB
  static constexpr std::uint64_t kTexts = 2000;

  void SetUp() override {
    if (rank() == 0) {
      File f = File::create(path());
      const auto values = count_up(kElements);
      const auto type = Datatype::of<std::int32_t>();
      const auto bytes = std::as_bytes(std::span(values));
      f.root().create_dataset("plain", {.type = type, .space = Shape{kElements}, .data = bytes});
      f.root().create_dataset("other", {.type = type, .space = Shape{kElements}, .data = bytes});
      f.root().create_dataset(
          "chunked",
          {.type = type,
           .space = Shape{kElements},
           .data = bytes,
           .options = {.chunk = {99'991}, .filters = {Filter::shuffle(), Filter::deflate(1)}}});
      f.root().create_dataset("texts", {.type = kText, .space = Shape{kTexts}}).write(all_texts());
      f.close();
    }
    barrier();
  }
  static std::vector<std::string> all_texts() {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < kTexts; ++i) texts.emplace_back(i % 97, 'x');
    return texts;
  }
  static std::vector<std::int32_t> read(const Dataset& x, const Hyperslab& part,
                                        Sharing sharing = Sharing::automatic) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(part.count[0]));
    x.read_all(std::as_writable_bytes(std::span(values)), {.part = part, .sharing = sharing});
    return values;
  }
  static Hyperslab all() { return {{0}, {kElements}, {}, {}}; }

  /// Reads everything in the ways in which ranks read equal data.
  void expect_contents(const File& file) const {
    const Group root = file.root();
    const auto half = std::uint64_t{kElements / 2} * (static_cast<std::uint64_t>(rank()) % 2);
    const Hyperslab mine{{half}, {kElements / 2}, {}, {}};
    for (const char* name : {"plain", "chunked"}) {
      const Dataset x = root.open_dataset(name);
      for (const Sharing sharing : {Sharing::automatic, Sharing::trust, Sharing::serve})
        ASSERT_EQ(read(x, all(), sharing), count_up(all())) << name;
      ASSERT_EQ(read(x, mine, Sharing::serve), count_up(mine)) << name;
      ASSERT_EQ(x.read_all<double>(),
                std::vector<double>(root.open_dataset("plain").read<double>()));
    }
    ASSERT_EQ(root.open_dataset("texts").read_all<std::string>(), all_texts());
    std::vector<std::int32_t> first(kElements);
    std::vector<std::int32_t> second(kElements);
    const std::vector<ReadRequest> requests{
        {root.open_dataset("plain"), std::as_writable_bytes(std::span(first))},
        {root.open_dataset("other"), std::as_writable_bytes(std::span(second))}};
    file.read_multi(requests);
    ASSERT_EQ(first, count_up(all()));
    ASSERT_EQ(second, first);
  }
};

TEST_F(EqualReadsTest, TakeOneReadAndTwoCollectiveCalls) {
  const Communicator ranks = tested_communicator(MPI_COMM_WORLD);
  const File file = File::open(path(), Access::read_only, ranks);
  const Dataset x = file.root().open_dataset("plain");
  for (const std::uint64_t expected : {4U, 2U, 2U}) {
    const IoStats added = counts(file, [&] { ASSERT_EQ(read(x, all()), count_up(all())); });
    EXPECT_EQ(added.reads, rank() == 0 ? 1U : 0U);
    if (size() == 1) continue;
    EXPECT_EQ(added.collectives, expected) << "header, memory; the first time, an offer of memory "
                                              "and whether all ranks found it";
    const std::string told =
        "read_all: broadcast: all ranks want one part: rank 0 reads, and the ranks of each node "
        "copy it from memory that they share; ";
    EXPECT_EQ(file.explain().rfind(told, 0), 0U) << file.explain();
  }
}

TEST_F(EqualReadsTest, CrossNodesInOneMessageForEach) {
  const Variable nodes("ONECAST_RANKS_PER_NODE", "2");
  const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
  const File file = File::open(path(), Access::read_only, ranks);
  const Dataset x = file.root().open_dataset("plain");
  static_cast<void>(read(x, all()));
  CommunicatorBackend* leaders = size() > 2 ? backend_of(ranks).leaders() : nullptr;
  const std::uint64_t before = leaders != nullptr ? leaders->collectives() : 0;
  const IoStats added = counts(file, [&] { ASSERT_EQ(read(x, all()), count_up(all())); });
  EXPECT_EQ(added.reads, rank() == 0 ? 1U : 0U);
  if (leaders != nullptr) {
    EXPECT_EQ(leaders->collectives() - before, 1U) << "one broadcast among the nodes";
  }
}

TEST_F(EqualReadsTest, BringTheSameInAllWays) {
  for (const char* ranks_of_node : {"0", "2", "3"}) {
    const Variable nodes("ONECAST_RANKS_PER_NODE", ranks_of_node);
    const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
    for (const std::uint64_t buffer : {0U, 300'000U})
      expect_contents(File::open(path(), Access::read_only, ranks, {.collective_buffer = buffer}));
  }
}

TEST_F(EqualReadsTest, OfLittleDataBringTheSameThroughSharedMemory) {
  const Variable little("ONECAST_SHARE_FROM", "1");
  const Communicator ranks = tested_communicator(MPI_COMM_WORLD);
  expect_contents(File::open(path(), Access::read_write, ranks, {.small_data_limit = 0}));
}

TEST_F(EqualReadsTest, ThatFailFailOnAllRanksAndHarmNothing) {
  const Faults faults = faults_on(0, world_);
  const File file = open(path(), Access::read_only, {}, faults.factory());
  const Dataset x = file.root().open_dataset("plain");
  for (int turn = 0; turn < 2; ++turn) {
    faults.fail(Call::read);
    std::vector<std::int32_t> values(kElements, 7);
    const Error error = same_error([&] { x.read_all(std::as_writable_bytes(std::span(values))); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    if (rank() != 0) {
      EXPECT_EQ(values, std::vector<std::int32_t>(kElements, 7));
    }
    faults.stop();
    ASSERT_EQ(read(x, all()), count_up(all()));
  }
}

}  // namespace
}  // namespace onecast::test
