// The ranks of a node share one copy of the metadata.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>

#include "onecast/comm/mpi.hpp"
#include "parallel_test.hpp"

namespace onecast::test {
namespace {

/// A limit of this process that is lower for a while.
class Limited {
 public:
  Limited(decltype(RLIMIT_NOFILE) which, rlim_t most) : which_(which) {
    getrlimit(which_, &before_);
    const rlimit lower{most, before_.rlim_max};
    setrlimit(which_, &lower);
  }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
  ~Limited() { setrlimit(which_, &before_); }

 private:
  decltype(RLIMIT_NOFILE) which_;
  rlimit before_{};
};

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

class NodePagesTest : public ParallelTest {
 protected:
  static constexpr int kGroups = 6000;

  /// Returns true if there are so many ranks that they share memory.
  [[nodiscard]] bool are_many() const { return size() >= 4; }

  static std::string group(int i) { return fmt::format("zone {}/group {}", i / 100, i); }

  /// Creates a file with more than half a MiB of metadata.
  void make() {
    if (rank() == 0) {
      File file = File::create(path());
      for (int i = 0; i < kGroups; ++i) file.root().create_group(group(i)).set_attribute("n", i);
      file.close();
    }
    barrier();
  }
  static void expect_content(const File& file) {
    for (int i = 0; i < kGroups; i += 7)
      ASSERT_EQ(file.root().open_group(group(i)).attribute("n").read<int>(), std::vector<int>{i});
  }
  /// Opens, examines and closes the file. Returns its counts.
  IoStats look(const Communicator& ranks) {
    File file = File::open(path(), Access::read_only, ranks);
    const IoStats opened = file.io_stats();
    if (rank() != 0) {
      EXPECT_EQ(opened.reads + opened.opens, 0U);
    }
    if (opened.shared_bytes != 0) {
      EXPECT_GT(opened.shared_bytes, file.metadata_report().metadata_bytes);
    }
    expect_content(file);
    file.close();
    EXPECT_EQ(file.io_stats().shared_bytes, opened.shared_bytes);
    return opened;
  }
};

TEST_F(NodePagesTest, AreOneCopyOnOneNode) {
  if (!are_many()) return;
  make();
  const std::size_t before = open_descriptors();
  const IoStats opened = look(world_);
  EXPECT_GT(opened.shared_bytes, 0U);
  EXPECT_EQ(opened.collectives, 3U) << "header, status, memory";
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(NodePagesTest, AreOneCopyOnEachOfSeveralNodes) {
  make();
  for (const char* ranks_of_node : {"1", "2", "3"}) {
    setenv("ONECAST_RANKS_PER_NODE", ranks_of_node, 1);
    {
      const Communicator pretended = mpi_communicator(MPI_COMM_WORLD);
      const int ranks = std::atoi(ranks_of_node);
      const int first = rank() / ranks * ranks;
      const bool is_alone = std::min(first + ranks, size()) - first == 1;
      for (int turn = 0; turn < 2; ++turn) {
        const IoStats opened = look(pretended);
        EXPECT_EQ(opened.shared_bytes == 0, is_alone || ranks == 1 || !are_many()) << rank();
        EXPECT_LE(opened.collectives, turn == 0 ? 12U : 6U);
      }
    }
    unsetenv("ONECAST_RANKS_PER_NODE");
  }
}

TEST_F(NodePagesTest, AreCopiesWhereSharingIsRefused) {
  make();
  for (int refusing = 0; refusing < size(); refusing += std::max(1, last())) {
    // The first rank may make no file of this size in memory; another one finds none.
    std::optional<Limited> limited;
    if (rank() == refusing && rank() == 0) limited.emplace(RLIMIT_FSIZE, 1000);
    if (rank() == refusing && rank() != 0) limited.emplace(RLIMIT_NOFILE, 3);
    EXPECT_EQ(look(world_).shared_bytes, 0U);
  }
  EXPECT_EQ(look(world_).shared_bytes == 0, !are_many()) << "afterwards they are shared again";
}

TEST_F(NodePagesTest, ManyFilesAtOnceAreShared) {
  make();
  std::vector<File> files;
  for (int i = 0; i < 20; ++i) {
    const std::string copy = path(fmt::format("copy {}.h5", i));
    if (rank() == 0) std::filesystem::copy_file(path(), copy);
    barrier();
    files.push_back(File::open(copy, Access::read_only, world_));
    EXPECT_EQ(files.back().io_stats().shared_bytes == 0, !are_many());
  }
  while (!files.empty()) {
    expect_content(files.back());
    files.pop_back();
  }
}

TEST_F(NodePagesTest, OfWritingRanksAreTheirOwnWhereTheyChange) {
  make();
  for (int turn = 0; turn < 3; ++turn) {
    File file = File::open(path(), Access::read_write, world_);
    EXPECT_EQ(file.io_stats().shared_bytes == 0, !are_many());
    for (int step = 0; step < 3; ++step) {
      const int value = turn * 10 + step;
      for (int i = turn; i < kGroups; i += 97)
        file.root().open_group(group(i)).set_attribute("n", value);
      file.root().create_group(fmt::format("new {}", value));
      if (step == 1) {
        // A rank that has flushed does not disturb one that has not: the header meets them only
        // then.
        file.flush();
      }
      for (int i = turn; i < kGroups; i += 97)
        ASSERT_EQ(file.root().open_group(group(i)).attribute("n").read<int>(),
                  std::vector<int>{value});
    }
    for (int i = turn; i < kGroups; i += 97) file.root().open_group(group(i)).set_attribute("n", i);
    file.close();
    barrier();
    look(world_);
  }
}

}  // namespace
}  // namespace onecast::test
