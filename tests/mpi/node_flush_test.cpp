// A flush of ranks that share memory: one rank of each node encodes, and all share the new pages.
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "faults.hpp"
#include "objects/files/file_access.hpp"
#include "objects/files/file_state.hpp"
#include "onecast/comm/mpi.hpp"
#include "parallel_test.hpp"
#include "support/environment.hpp"

namespace onecast::test {

using namespace files;
namespace {

/// Returns the bytes of memory of other ranks of which this process has copies, because it wrote
/// them.
std::uint64_t copied_bytes() {
  std::ifstream maps("/proc/self/smaps");
  std::uint64_t copied = 0;
  bool is_shared = false;
  for (std::string line; std::getline(maps, line);) {
    const std::string word = line.substr(0, line.find(' '));
    if (word.find('-') != std::string::npos)
      is_shared = line.find("/memfd:onecast-") != std::string::npos;
    else if (is_shared && word == "Anonymous:")
      copied += std::strtoull(line.c_str() + word.size(), nullptr, 10) << 10U;
  }
  return copied;
}

class NodeFlushTest : public ParallelTest {
 protected:
  static constexpr int kGroups = 3000;

  void SetUp() override {
    if (size() < 4) GTEST_SKIP() << "fewer ranks share no memory";
  }

  static std::string group(int i) { return fmt::format("zone {}/group {}", i / 100, i); }
  static void fill(const Group& root, int first = 0) {
    Group all = root;
    for (int i = first; i < first + kGroups; ++i) all.create_group(group(i)).set_attribute("n", i);
  }
  static void expect_content(const File& file, int added = 0) {
    for (int i = 0; i < kGroups; i += 7)
      ASSERT_EQ(file.root().open_group(group(i)).attribute("n").read<int>(),
                std::vector<int>{i + added});
  }
  static void change(const File& file, int added) {
    for (int i = 0; i < kGroups; ++i)
      file.root().open_group(group(i)).set_attribute("n", i + added);
  }
  static std::uint64_t encoded(File& file) {
    return FileAccess::state(file).committed().encoded_bytes;
  }
  /// Returns the file that one rank makes.
  std::string expected() {
    if (rank() == 0) {
      File file = File::create(path("expected.h5"));
      fill(file.root());
      file.flush();
      change(file, 1);
      fill(file.root(), kGroups);
      file.close();
    }
    return contents(path("expected.h5"));
  }
};

TEST_F(NodeFlushTest, OneRankOfEachNodeEncodes) {
  const std::string bytes = expected();
  for (const int ranks_of_node : {size(), 1, 2, 3}) {
    const Variable nodes("ONECAST_RANKS_PER_NODE", std::to_string(ranks_of_node).c_str());
    const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
    const bool is_first = rank() % ranks_of_node == 0;
    const bool is_alone = ranks_of_node == 1 || (is_first && rank() == last());
    File file = File::create(path(), ranks);
    fill(file.root());
    for (int turn = 0; turn < 2; ++turn) {
      const std::uint64_t before = encoded(file);
      const IoStats counted = counts(file, [&] { file.flush(); });
      const std::uint64_t added = encoded(file) - before;
      EXPECT_EQ(added != 0, is_first) << rank();
      const std::uint64_t of_rank_0 = everyones(added).front();
      if (is_first) {
        EXPECT_EQ(added, of_rank_0);
      }
      EXPECT_EQ(file.io_stats().shared_bytes == 0, is_alone) << rank();
      if (ranks_of_node == size() || turn == 1) {
        EXPECT_EQ(counted.collectives, 4U) << "the nodes are known";
      }
      expect_content(file, turn);
      if (turn == 1) continue;
      change(file, 1);
      fill(file.root(), kGroups);
    }
    EXPECT_EQ(copied_bytes(), 0U);
    file.close();
    EXPECT_TRUE(contents(path()) == bytes);
    barrier();
  }
}

/// What one rank does independently is encoded by the first rank of every node, which has seen
/// nothing of it before the flush.
TEST_F(NodeFlushTest, ChangesOfOneRankAreEncodedOnceOnEachNode) {
  const Variable nodes("ONECAST_RANKS_PER_NODE", "2");
  const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
  File file = File::create(path(), ranks);
  static_cast<void>(backend_of(ranks).nodes());
  {
    const auto alone = file.independent();
    if (rank() == 0) fill(file.root());
  }
  file.flush();
  EXPECT_EQ(encoded(file) != 0, rank() % 2 == 0) << rank();
  expect_content(file);
  file.close();
}

TEST_F(NodeFlushTest, ChangedPagesAreSharedAgain) {
  if (rank() == 0) {
    File file = File::create(path());
    fill(file.root());
    file.close();
  }
  barrier();
  File file = File::open(path(), Access::read_write, world_);
  const std::uint64_t opened = file.io_stats().shared_bytes;
  EXPECT_GT(opened, 0U);
  for (int turn = 1; turn <= 3; ++turn) {
    change(file, turn);
    file.root().set_attribute("turn", turn);
    file.flush();
    EXPECT_EQ(copied_bytes(), 0U);
    expect_content(file, turn);
    // A small change, which every rank encodes by itself.
    file.root().open_group(group(turn)).set_attribute("n", 0);
    file.flush();
    EXPECT_EQ(copied_bytes(), 0U);
    EXPECT_LT(file.io_stats().shared_bytes, opened + opened / 8) << "images of old pages are freed";
  }
  file.close();
}

TEST_F(NodeFlushTest, RanksEncodeWhereSharingIsRefused) {
  struct Refusal {
    int rank;
    decltype(RLIMIT_NOFILE) which;
    rlim_t most;
    int first;  // the ranks that encode then, and share nothing, besides the first ranks of nodes
    int last;
  };
  const std::string bytes = expected();
  const Variable nodes("ONECAST_RANKS_PER_NODE", "2");
  for (const Refusal& refusal : {
           Refusal{0, RLIMIT_NOFILE, 3, 0, last()},  // makes no memory
           Refusal{1, RLIMIT_NOFILE, 3, 1, 1},       // finds none
           Refusal{2, RLIMIT_FSIZE, 1000, 2, 3},     // has made memory that cannot grow
       }) {
    const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
    File file = File::create(path(), ranks);
    fill(file.root());
    rlimit before{};
    getrlimit(refusal.which, &before);
    const rlimit lower{refusal.most, before.rlim_max};
    if (rank() == refusal.rank) setrlimit(refusal.which, &lower);
    file.flush();
    setrlimit(refusal.which, &before);
    const bool leads = rank() % 2 == 0;
    const bool is_alone = leads && rank() == last();
    const bool is_refused = rank() >= refusal.first && rank() <= refusal.last;
    EXPECT_EQ(encoded(file) != 0, leads || is_refused) << rank();
    EXPECT_EQ(file.io_stats().shared_bytes != 0, !is_alone && !is_refused) << rank();
    const std::uint64_t so_far = encoded(file);
    change(file, 1);
    fill(file.root(), kGroups);
    file.close();
    EXPECT_EQ(encoded(file) != so_far, leads) << "afterwards they are shared again";
    EXPECT_TRUE(contents(path()) == bytes);
    barrier();
  }
}

TEST_F(NodeFlushTest, AFailedFlushLeavesTheSharedPages) {
  const Variable nodes("ONECAST_RANKS_PER_NODE", "3");
  const Communicator ranks = mpi_communicator(MPI_COMM_WORLD);
  if (rank() == 0) {
    File file = File::create(path());
    fill(file.root());
    file.close();
  }
  barrier();
  for (const std::uint64_t write : {1U, 3U, 4U}) {
    const Faults faults = faults_on(0, ranks);
    File file = open(path(), Access::read_write, {}, faults.factory());
    change(file, 5);
    file.root().set_attribute("new", 1);
    faults.fail(Call::write, write, FaultPlan::kForever);
    same_error([&] { file.flush(); });
    faults.stop();
    file.rollback();
    expect_content(file);
    EXPECT_FALSE(file.root().has_attribute("new"));
    change(file, 7);
    file.flush();
    expect_content(file, 7);
    EXPECT_EQ(copied_bytes(), 0U);
    change(file, 0);
    file.close();
    barrier();
  }
}

/// The ranks that do not encode do not have the pages, which they need to put them back. They have
/// looked at a small part of each page, and another part of it, with the seal, is theirs to write.
TEST_F(NodeFlushTest, AFailedWriteOfAnyRankLeavesTheBytesOfTheFile) {
  constexpr int kMany = 8 * kGroups;
  constexpr std::array kChanged{9000, 12500, 16000};
  const Variable from("ONECAST_SHARE_FROM", "1");
  FileOptions options;
  options.page_size = 256 << 10U;  // larger than what a look at an object reads
  options.stripe_size = 64 << 10U;
  options.stripe_count = 7;
  if (rank() == 0) {
    File file = File::create(path(), {}, options);
    for (int first = 0; first < kMany; first += kGroups) fill(file.root(), first);
    file.close();
  }
  barrier();
  const std::string before = contents(path());
  options.metadata_budget = 64 << 10U;
  options.single_writer_stripes = 0;
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = open(path(), Access::read_write, options, faults.factory());
    const auto set = [&](int added) {
      for (const int i : kChanged) file.root().open_group(group(i)).set_attribute("n", i + added);
    };
    set(1);
    ASSERT_LT(FileAccess::state(file).store().bytes(), before.size() / 2) << "pages are not loaded";
    faults.fail(Call::write);
    same_error([&] { file.flush(); });
    faults.stop();
    EXPECT_TRUE(contents(path()).starts_with(before)) << failing;
    file.rollback();
    expect_content(file);
    set(0);
    file.close();
    EXPECT_EQ(encoded(file) != 0, rank() == 0) << "one rank encodes each flush";
    barrier();
  }
  expect_content(File::open(path()));
}

}  // namespace
}  // namespace onecast::test
