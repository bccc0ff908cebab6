#include "base/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#ifdef __unix__
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace onecast {
namespace {

TEST(WorkerPool, EachPieceOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> done(count);
      run_parallel(threads, count, [&](std::size_t i) { ++done[i]; });
      for (const auto& n : done) EXPECT_EQ(n, 1);
    }
  }
}

TEST(WorkerPool, ManyCallers) {
  std::atomic<std::size_t> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 100; ++i) run_parallel(3, 20, [&](std::size_t k) { sum += k; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 6U * 100 * 190);
}

TEST(WorkerPool, TheErrorOfTheSmallestNumber) {
  for (int turn = 0; turn < 50; ++turn) {
    try {
      run_parallel(4, 100, [](std::size_t i) {
        if (i == 3) throw std::runtime_error("3");
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
  }
}

TEST(WorkerPool, CoresAreCounted) { EXPECT_GE(usable_cores(), 1U); }

#ifdef __unix__
TEST(WorkerPool, AForkedChildDoesItAlone) {
  std::atomic<int> done{0};
  run_parallel(3, 10, [&](std::size_t) { ++done; });
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> mine{0};
    run_parallel(3, 10, [&](std::size_t) { ++mine; });
    _exit(mine == 10 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

}  // namespace
}  // namespace onecast
