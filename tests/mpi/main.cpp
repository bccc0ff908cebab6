#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace {

/// Ranks above 0 speak only of failures.
class FailurePrinter final : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestStart(const testing::TestInfo& test) override { test_ = &test; }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s.%s failed\n%s:%d: %s\n", rank_,
                 test_ != nullptr ? test_->test_suite_name() : "",
                 test_ != nullptr ? test_->name() : "",
                 result.file_name() != nullptr ? result.file_name() : "", result.line_number(),
                 result.message());
  }

 private:
  int rank_;
  const testing::TestInfo* test_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  testing::InitGoogleTest(&argc, argv);
  if (rank != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(rank));  // owned by the list
    GTEST_FLAG_SET(output, "");                  // no two writers of one report
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
