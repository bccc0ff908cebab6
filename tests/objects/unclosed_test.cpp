// Files that nobody closed are named on stderr if changes are lost.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"

namespace onecast {
namespace {

constexpr const char* kWarning = "was not closed: the changes since its last flush are lost\n";

class UnclosedTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name = "a.h5") const { return folder_ / name; }
  /// Returns what is printed on stderr meanwhile.
  template <class F>
  static std::string said(F&& work) {
    testing::internal::CaptureStderr();
    std::forward<F>(work)();
    return testing::internal::GetCapturedStderr();
  }
  [[nodiscard]] std::string warning() const {
    return "onecast: warning: " + path() + " " + kWarning;
  }

 private:
  test::TemporaryDirectory folder_;
};

TEST_F(UnclosedTest, TheLastHandleOfAChangedFileWarns) {
  EXPECT_EQ(said([&] { File::create(path()); }), warning()) << "a new file is none before a flush";
  std::optional<Group> last;
  EXPECT_EQ(said([&] {
              File file = File::create(path());
              file.flush();
              last = file.root().create_group("g");
            }),
            "")
      << "its group is a handle, too";
  EXPECT_EQ(said([&] { last.reset(); }), warning());
}

TEST_F(UnclosedTest, NothingIsSaidWhereNothingIsLost) {
  EXPECT_EQ(said([&] {
              File file = File::create(path());
              file.root().create_dataset("x", {Datatype::of<int>(), Dataspace({100'000})});
              file.flush();
            }),
            "")
      << "flushed";
  EXPECT_EQ(said([&] { File::open(path(), Access::read_write); }), "") << "unchanged";
  EXPECT_EQ(said([&] { static_cast<void>(File::open(path()).root().links()); }), "") << "read";
  EXPECT_EQ(said([&] {
              File file = File::open(path(), Access::read_write);
              file.root().create_group("g");
              file.close();
            }),
            "")
      << "closed";
  EXPECT_EQ(said([&] {
              File file = File::open(path(), Access::read_write);
              file.root().create_group("lost");
              file.abandon("nothing to keep");
              EXPECT_FALSE(file.is_open());
              file.abandon("nothing to keep");
              file.close();
            }),
            "")
      << "abandoned";
  EXPECT_FALSE(File::open(path()).root().contains("lost"));
}

TEST_F(UnclosedTest, FilesThatAreOpenWhenTheProcessEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fork would lose the workers, and leak
  EXPECT_EXIT(
      {
        static auto* const file = new File(File::create(path()));
        file->root().create_group("g");
        std::exit(0);  // NOLINT(concurrency-mt-unsafe): one thread
      },
      testing::ExitedWithCode(0), kWarning);
  static std::optional<File> in_static_memory;
  EXPECT_EXIT(
      {
        in_static_memory.emplace(File::create(path("b.h5")));
        std::exit(0);  // NOLINT(concurrency-mt-unsafe): one thread
      },
      testing::ExitedWithCode(0), "^onecast: warning: .*b.h5 was not closed[^\n]*\n$");
}

/// A program's output in an object of static memory.
struct ClosedAtTheEnd {
  std::optional<File> file;
  ~ClosedAtTheEnd() {
    if (!file) return;
    Dataset x = file->root().open_dataset("x");
    x.write(std::vector<int>(1000, x.read<int>().back() + 1));
    file->flush();
    if (x.read<int>() != std::vector<int>(1000, 7)) std::_Exit(1);
    file->close();
  }
};

TEST_F(UnclosedTest, AFileMayBeClosedByStaticMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static ClosedAtTheEnd output;
  EXPECT_EXIT(
      {
        output.file.emplace(File::create(path()));
        output.file->root().create_dataset(
            "x", Shape{1000}, std::vector<int>(1000, 6),
            {.chunk = {100}, .filters = {Filter::shuffle(), Filter::deflate(1)}});
        output.file->flush();
        std::exit(0);  // NOLINT(concurrency-mt-unsafe): one thread
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace onecast
