#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <numeric>

#include "parallel_test.hpp"

/// Every rank uses the file that rank 0 opened, even if the path leads to another one by then.
namespace onecast::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNumbers = 100'000;  // more than an open brings along

class WhichFileTest : public ParallelTest {
 protected:
  ~WhichFileTest() override { fs::current_path(home_); }

  void go_to(const std::string& folder) const {
    if (rank() == 0) fs::create_directories(folder);
    barrier();
    fs::current_path(folder);
    barrier();
  }
  /// Creates a file on one process with the values from `first` on.
  void make(const std::string& file, std::int32_t first) const {
    if (rank() == 0) {
      std::vector<std::int32_t> values(kNumbers);
      std::iota(values.begin(), values.end(), first);
      File made = File::create(file);
      made.root().create_dataset("x", {kNumbers}, values);
      made.close();
    }
    barrier();
  }
  [[nodiscard]] static std::int32_t first_of(const std::string& file) {
    File read = File::open(file);
    std::int32_t first = 0;
    read.root().open_dataset("x").read(std::as_writable_bytes(std::span(&first, 1)),
                                       Hyperslab{{0}, {1}});
    return first;
  }
  /// Reads one element of "x" on this rank alone.
  [[nodiscard]] static std::int32_t read_one(const File& file) {
    std::int32_t value = 0;
    file.root().open_dataset("x").read(std::as_writable_bytes(std::span(&value, 1)),
                                       Hyperslab{{kNumbers / 2}, {1}});
    return value;
  }
  /// Returns the errno of what `work` throws; 0 if it throws nothing.
  template <class F>
  static int errno_of(F&& work) {
    try {
      std::forward<F>(work)();
    } catch (const Error& error) {
      return error.system_errno();
    }
    return 0;
  }

  const fs::path home_ = fs::current_path();
};

TEST_F(WhichFileTest, ANewFileAfterTheFolderWasChanged) {
  const std::string away = path("away");
  go_to(away);
  make("file.h5", 7);
  const std::string decoy = contents(away + "/file.h5");
  go_to(path("home"));
  File file = File::create("file.h5", world_);
  Dataset x =
      file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({kNumbers})});
  go_to(away);
  const Hyperslab mine = my_share(kNumbers);
  const auto values = count_up(mine);
  x.write_all(std::as_bytes(std::span(values)), mine);
  file.flush();
  file.root().set_attribute("more", 1);
  file.flush();
  EXPECT_EQ(file.path(), "file.h5");
  file.close();
  EXPECT_EQ(contents(away + "/file.h5"), decoy);
  EXPECT_EQ(first_of(path("home/file.h5")), count_up(share(kNumbers, 0, size()))[0]);
  for (const auto& found : fs::directory_iterator(away))
    EXPECT_EQ(found.path().filename(), "file.h5");
  barrier();
  for (const auto& found : fs::directory_iterator(path("home")))
    EXPECT_EQ(found.path().filename(), "file.h5");
}

TEST_F(WhichFileTest, AnOldFileAfterTheFolderWasChanged) {
  go_to(path("away"));
  make("file.h5", 7);
  go_to(path("home"));
  make("file.h5", 1000);
  File file = File::open("file.h5", Access::read_write, world_);
  go_to(path("away"));
  EXPECT_EQ(read_one(file), 1000 + static_cast<int>(kNumbers / 2));
  file.root().set_attribute("more", 1);
  file.close();
  barrier();
  for (const char* folder : {"away", "home"})
    for (const auto& found : fs::directory_iterator(path(folder)))
      EXPECT_EQ(found.path().filename(), "file.h5");
}

TEST_F(WhichFileTest, AnotherFileWasRenamedOverIt) {
  make(path(), 0);
  make(path("other.h5"), 5000);
  File file = File::open(path(), Access::read_only, world_);
  barrier();
  if (rank() == 0) fs::rename(path("other.h5"), path());
  barrier();
  std::int32_t value = 0;
  const int reason = errno_of([&] { value = read_one(file); });
  if (rank() == 0) {
    EXPECT_EQ(value, static_cast<int>(kNumbers / 2));
  } else {
    EXPECT_EQ(reason, ESTALE);
  }
  barrier();
  file.close();
}

TEST_F(WhichFileTest, ANewFileWasReplacedBeforeOthersWroteToIt) {
  make(path("other.h5"), 5000);
  const std::string other = contents(path("other.h5"));
  File file = File::create(path(), world_);
  Dataset x =
      file.root().create_dataset("x", {Datatype::of<std::int32_t>(), Dataspace({kNumbers})});
  barrier();
  if (rank() == 0) fs::rename(path("other.h5"), path());
  barrier();
  const Hyperslab mine = my_share(kNumbers);
  const auto values = count_up(mine);
  const auto write = [&] { x.write(std::as_bytes(std::span(values)), mine); };
  EXPECT_EQ(errno_of(write), rank() == 0 ? 0 : ESTALE);
  if (size() > 1) {
    const Error error = same_error([&] { x.write_all(std::as_bytes(std::span(values)), mine); });
    EXPECT_EQ(error.system_errno(), ESTALE);
    EXPECT_NE(std::string(error.what()).find("renamed or replaced"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(contents(path()), other);
  try {
    file.close();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): all is said
  }
  EXPECT_EQ(contents(path()), other);
}

TEST_F(WhichFileTest, TheFileWasRemoved) {
  make(path(), 0);
  File file = File::open(path(), Access::read_only, world_);
  barrier();
  if (rank() == 0) fs::remove(path());
  barrier();
  EXPECT_EQ(errno_of([&] { static_cast<void>(read_one(file)); }), rank() == 0 ? 0 : ENOENT);
  barrier();
  file.close();
}

/// A journal beside another file would be taken for that file's journal.
TEST_F(WhichFileTest, NoJournalBesideAnotherFile) {
  make(path(), 0);
  make(path("other.h5"), 5000);
  File file = File::open(path(), Access::read_write, world_);
  file.root().set_attribute("more", 1);
  barrier();
  if (rank() == 0) {
    fs::rename(path(), path("kept.h5"));
    fs::rename(path("other.h5"), path());
  }
  const std::string other = contents(path());
  EXPECT_EQ(same_error([&] { file.flush(); }).system_errno(), ESTALE);
  barrier();
  if (rank() == 0) {
    fs::rename(path(), path("other.h5"));
    fs::rename(path("kept.h5"), path());
  }
  barrier();
  file.close();
  EXPECT_EQ(contents(path("other.h5")), other);
  EXPECT_TRUE(File::open(path()).root().has_attribute("more"));
}

}  // namespace
}  // namespace onecast::test
