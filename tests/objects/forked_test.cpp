// A process is forked while other threads are inside calls.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "onecast/objects/file.hpp"
#include "support/temporary_directory.hpp"

namespace onecast {
namespace {

constexpr int kForks = 30;

// In GCC's address sanitizer, a fork leaves the allocator locked for ever if another thread is
// inside it.
#if defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
constexpr bool kAllocatorSurvives = false;
#else
constexpr bool kAllocatorSurvives = true;
#endif

/// Threads that do the same again and again, until this object ends.
class BusyThreads {
 public:
  BusyThreads() = default;
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;
  ~BusyThreads() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  template <class F>
  void keep_doing(F&& work) {
    threads_.emplace_back([this, work] {
      while (!ends_) work();
    });
  }

 private:
  std::atomic<bool> ends_ = false;
  std::vector<std::thread> threads_;
};

class ForkedTest : public testing::Test {
 protected:
  /// Creates, writes and reads a file of its own.
  void use(const std::string& name) const {
    const std::string path = directory_ / name;
    std::vector<int> numbers(20'000);
    std::iota(numbers.begin(), numbers.end(), 0);
    File file = File::create(path);
    file.root().create_dataset("x", {numbers.size()}, numbers);
    file.root().create_group("a/b/c");
    file.close();
    const File again = File::open(path);
    if (again.root().open_dataset("x").read<int>() != numbers) throw std::logic_error("other data");
  }
  void expect_children_to_do(const std::function<void()>& work) {
    for (int i = 0; i < kForks; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);  // seconds; waiting for a lock would never end
        bool well = true;
        try {
          work();
        } catch (const std::exception& error) {
          std::fprintf(stderr, "child: %s\n", error.what());
          well = false;
        }
        _exit(well ? 0 : 1);
      }
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_EQ(status, 0);
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_F(ForkedTest, TheChildUsesFilesOfItsOwn) {
  if (!kAllocatorSurvives) GTEST_SKIP() << "GCC's address sanitizer cannot fork beside threads";
  use("read");
  BusyThreads threads;
  for (int n = 0; n < 2; ++n) threads.keep_doing([this, n] { use(fmt::format("thread {}", n)); });
  threads.keep_doing([this] {
    static_cast<void>(File::open(directory_ / "read").root().open_dataset("x").read<int>());
  });
  expect_children_to_do([this] { use("child"); });
}

/// The child may also get an error, but it never waits for ever.
TEST_F(ForkedTest, TheChildReadsWhatOthersRead) {
  if (!kAllocatorSurvives) GTEST_SKIP() << "GCC's address sanitizer cannot fork beside threads";
  use("read");
  const File file =
      File::open(directory_ / "read", Access::read_only, {.load_policy = LoadPolicy::lazy});
  const auto look = [&] {
    try {
      if (!file.root().contains("a/b/c")) throw std::logic_error("no group");
      static_cast<void>(file.root().open_dataset("x").read<int>());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::state) throw;
    }
  };
  BusyThreads threads;
  for (int n = 0; n < 2; ++n) threads.keep_doing(look);
  expect_children_to_do(look);
}

TEST_F(ForkedTest, LeavesAllBehind) {
  use("read");
  File file = File::create(directory_ / "new");
  const File read = File::open(directory_ / "read");
  expect_children_to_do([&] {
    File::leave_all_behind();
    if (file.is_open() || read.is_open()) throw std::logic_error("still open");
    file.close();
    use("child");
  });
  file.root().create_group("g");
  file.close();
  EXPECT_TRUE(File::open(directory_ / "new").root().contains("g"));
}

}  // namespace
}  // namespace onecast
