// Files whose ranks are threads of one process, connected by the user's functions, tested through
// the public interface only.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "onecast/onecast.hpp"
#include "support/sound_files.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_point_to_point.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kRows = 840;  // divisible by 1 to 7 ranks
constexpr std::uint64_t kColumns = 50;

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::int32_t> rows_of(std::uint64_t from, std::uint64_t to) {
  std::vector<std::int32_t> values(static_cast<std::size_t>((to - from) * kColumns));
  std::iota(values.begin(), values.end(), static_cast<std::int32_t>(from * kColumns));
  return values;
}

class FilesOnThreads : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] std::string path(const std::string& name = "file.h5") const {
    return directory_ / name;
  }
  static Selection share(const Dataset& dataset, int rank, int size) {
    const auto r = static_cast<std::uint64_t>(rank);
    const auto n = static_cast<std::uint64_t>(size);
    return dataset.rows(kRows * r / n, kRows * (r + 1) / n);
  }
  static std::vector<std::int32_t> shared_values(int rank, int size) {
    const auto r = static_cast<std::uint64_t>(rank);
    const auto n = static_cast<std::uint64_t>(size);
    return rows_of(kRows * r / n, kRows * (r + 1) / n);
  }
  /// Writes groups, attributes, contiguous and filtered data, texts, and objects of each rank.
  static void write(const std::string& file_path, const Communicator& comm) {
    File file = File::create(file_path, comm);
    Group zone = file.root().create_group("base/zone");
    zone.set_attribute("family", "wing");
    Dataset x = zone.create_dataset("x", {Datatype::of<std::int32_t>(), Shape{kRows, kColumns}});
    Dataset y =
        zone.create_dataset("y", {.type = Datatype::of<std::int32_t>(),
                                  .space = Dataspace({kRows, kColumns}),
                                  .options = {.chunk = {60, 20}, .filters = {Filter::deflate(1)}}});
    const auto mine = shared_values(comm.rank(), comm.size());
    x.write_all(mine, share(x, comm.rank(), comm.size()));
    file.flush();
    y.write_all(mine, share(y, comm.rank(), comm.size()));
    for (int i = 0; i < 20; ++i) zone.create_group("part " + std::to_string(i));
    file.close();
  }

  TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Ranks, FilesOnThreads, testing::Values(1, 2, 3, 4, 7));

TEST_P(FilesOnThreads, LeaveTheBytesOfOneRank) {
  run_with_communicators(1,
                         [&](const Communicator& comm, ThreadRank&) { write(path("one"), comm); });
  run_with_communicators(GetParam(),
                         [&](const Communicator& comm, ThreadRank&) { write(path(), comm); });
  EXPECT_TRUE(contents(path()) == contents(path("one")));
  expect_sound(directory_.path());
}

TEST_P(FilesOnThreads, ReadWhatTheyWroteTogether) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    write(path(), comm);
    File file = File::open(path(), Access::read_only, comm);
    for (const std::string name : {"base/zone/x", "base/zone/y"}) {
      const Dataset dataset = file.root().open_dataset(name);
      EXPECT_EQ(dataset.read_all<std::int32_t>(), rows_of(0, kRows));
      const auto mine = share(dataset, comm.rank(), comm.size());
      EXPECT_EQ(dataset.read_all<std::int32_t>(mine), shared_values(comm.rank(), comm.size()));
      EXPECT_EQ(dataset.read<std::int32_t>(mine), shared_values(comm.rank(), comm.size()));
    }
    file.close();
    // The file is opened again to change it.
    file = File::open(path(), Access::read_write, comm);
    file.root().set_attribute("again", 1);
    file.close();
  });
  EXPECT_EQ(File::open(path()).root().attribute("again").read<int>().front(), 1);
  expect_sound(directory_.path());
}

TEST_P(FilesOnThreads, MakeObjectsOfTheirOwn) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(path(), comm);
    {
      const auto alone = file.independent();
      const std::string name = "rank " + std::to_string(comm.rank());
      file.root().create_dataset(name, Shape{3}, std::vector{1, 2, comm.rank()});
    }
    file.close();
  });
  const File file = File::open(path());
  for (int r = 0; r < GetParam(); ++r)
    EXPECT_EQ(file.root().open_dataset("rank " + std::to_string(r)).read<int>(),
              (std::vector{1, 2, r}));
}

TEST_P(FilesOnThreads, CarryOutCallsBesideTheirCaller) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(path(), comm);
    Dataset x =
        file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Shape{kRows, kColumns}});
    const auto mine = shared_values(comm.rank(), comm.size());
    Pending written = x.write_all_async(mine, share(x, comm.rank(), comm.size()));
    written.wait();
    file.close();
  });
  EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(), rows_of(0, kRows));
}

TEST_P(FilesOnThreads, HearWhoLeft) {
  const int size = GetParam();
  if (size == 1) GTEST_SKIP() << "nobody waits for it";
  for (const int odd : {0, size - 1})
    run_with_communicators(size, [&](const Communicator& comm, ThreadRank&) {
      File file = File::create(path(), comm);
      file.root().create_group("kept");
      file.flush();
      file.root().create_group("lost");
      File other = File::create(path("other.h5"), comm);
      if (comm.rank() == odd) {
        file.abandon("its disk is full");
      } else {
        const Error error = thrown_by([&] { file.flush(); });
        EXPECT_EQ(error.code(), ErrorCode::diverged);
        EXPECT_NE(std::string(error.what())
                      .find("rank " + std::to_string(odd) + " left: its disk is full"),
                  std::string::npos)
            << error.what();
        file.close();
      }
      // The communicator still works.
      other.root().create_group("all");
      other.close();
      EXPECT_TRUE(File::open(path("other.h5"), Access::read_only, comm).root().contains("all"));
    });
  const Group root = File::open(path()).root();
  EXPECT_TRUE(root.contains("kept"));
  EXPECT_FALSE(root.contains("lost"));
}

/// Each rank opens the targets of external links for itself, at any time.
TEST_P(FilesOnThreads, FollowLinksSideBySide) {
  File target = File::create(path("target.h5"));
  target.root().create_dataset("x", Shape{3}, std::vector{1, 2, 3});
  target.close();
  File linking = File::create(path());
  linking.root().create_external_link("there", "target.h5", "/");
  linking.close();
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    for (int i = 0; i < 50; ++i) {
      File file = File::open(path(), Access::read_only, comm);
      EXPECT_EQ(file.root().open_dataset("there/x").read<int>(), (std::vector{1, 2, 3}));
      file.close();
    }
  });
}

TEST_P(FilesOnThreads, AThreadThatGoesIsHeard) {
  const int size = GetParam();
  if (size == 1) GTEST_SKIP() << "nobody waits for it";
  for (const int odd : {0, size - 1}) {
    ThreadMail mail(size);
    run_threads(size, [&](int r) {
      File file = File::create(path(), user_communicator(std::make_shared<ThreadRank>(mail, r)));
      if (r == odd) return file.abandon("it goes");  // its communicator ends with it
      EXPECT_EQ(thrown_by([&] { file.flush(); }).code(), ErrorCode::diverged);
      file.close();
    });
  }
}

/// Each rank leaves another file, at the same time: all ranks learn of all, and go on.
TEST_P(FilesOnThreads, LeaveFilesAtOnce) {
  const int size = GetParam();
  if (size == 1) GTEST_SKIP() << "nobody waits for it";
  run_with_communicators(size, [&](const Communicator& comm, ThreadRank&) {
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<File> files;
      for (int r = 0; r < size; ++r)
        files.push_back(File::create(path("file " + std::to_string(r)), comm));
      const auto mine = static_cast<std::size_t>(comm.rank());
      files[mine].abandon("it goes");
      for (std::size_t f = 0; f < files.size(); ++f) {
        if (f == mine) continue;
        const Error error = thrown_by([&] { files[f].flush(); });
        EXPECT_EQ(error.code(), ErrorCode::diverged);
        EXPECT_NE(std::string(error.what()).find("rank " + std::to_string(f) + " left: it goes"),
                  std::string::npos)
            << error.what();
      }
      for (File& file : files) file.close();
      File together = File::create(path(), comm);
      together.root().create_group("all");
      together.close();
    }
  });
  EXPECT_TRUE(File::open(path()).root().contains("all"));
}

TEST_P(FilesOnThreads, DifferentCallsAreOneError) {
  if (GetParam() == 1) GTEST_SKIP() << "nobody makes another";
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(path(), comm);
    Dataset x = file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Shape{4}});
    const Error error = thrown_by([&] {
      if (comm.rank() == 0) return file.flush();
      x.write_all(std::vector<std::int32_t>(4));
    });
    EXPECT_EQ(error.code(), ErrorCode::diverged);
    file.close();
  });
}

/// For each message at which one rank fails: all ranks end, with or without an error, nobody waits,
/// and the file is as a flush left it.
TEST_P(FilesOnThreads, NobodyWaitsForARankWhoseMessagesFail) {
  const int size = GetParam();
  if (size == 1) GTEST_SKIP() << "it sends none";
  std::set<std::size_t> found;
  int most_failures = 0;
  for (long after = 0; after < 200; after += 1 + after / 5) {
    const int odd = static_cast<int>(after) % size;
    std::filesystem::remove(path());
    ThreadMail mail(size);
    std::mutex mutex;
    int failures = 0;
    run_threads(size, [&](int r) {
      const auto rank = std::make_shared<ThreadRank>(mail, r);
      const Communicator comm = user_communicator(rank);
      if (r == odd) rank->fail_after(after);
      std::optional<File> file;
      try {
        file = File::create(path(), comm);
        for (int i = 0; i < 4; ++i) {
          file->root().create_group(std::to_string(i));
          file->flush();
        }
        file->close();
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::io || error.code() == ErrorCode::state ||
                    error.code() == ErrorCode::diverged)
            << error.what();
        EXPECT_EQ(std::string(error.what()).find("a rank hangs"), std::string::npos);
        const std::scoped_lock lock(mutex);
        ++failures;
      }
      if (file) file->abandon("it could not go on");
    });
    // The other ranks get the error, unless the failure was in their last message.
    most_failures = std::max(most_failures, failures);
    if (!std::filesystem::exists(path()) || !is_hdf5(path())) continue;
    File file = File::open(path(), Access::read_write);  // undoes a half-done flush
    std::size_t groups = 0;
    while (file.root().contains(std::to_string(groups))) ++groups;
    found.insert(groups);
    file.close();
    expect_sound(directory_.path());
  }
  EXPECT_EQ(most_failures, size);
  EXPECT_GT(found.size(), 2U) << "messages failed between all flushes";
}

}  // namespace
}  // namespace onecast::test
