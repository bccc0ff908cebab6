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
  /// What is said on stderr meanwhile.
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
              file.root().create_dataset("x", Datatype::of<int>(), Dataspace({100'000}));
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
  EXPECT_EXIT(
      {
        auto* const file = new File(File::create(path()));
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

}  // namespace
}  // namespace onecast
