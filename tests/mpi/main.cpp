#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "onecast/comm/mpi.hpp"
#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"

namespace {

/// Prints only failures, on ranks above 0.
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

/// The last test leaves a file open until MPI is finalized. Its calls then fail like others.
int fails_after_finalize(int rank) {
  using namespace onecast;
  int failed = 0;
  const auto expect_state = [&](const char* call, auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::state) return;
    }
    std::fprintf(stderr, "rank %d: %s after MPI_Finalize: Error (state) was expected\n", rank,
                 call);
    failed = 1;
  };
  std::optional<test::TemporaryDirectory> folder;
  if (rank == 0) folder.emplace();
  std::array<char, 256> name{};
  if (folder) (*folder / "file.h5").copy(name.data(), name.size() - 1);
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  const std::string path = name.data();
  std::optional<Communicator> world(mpi_communicator(MPI_COMM_WORLD));
  std::optional<File> closed(File::create(path, *world));
  std::optional<File> forgotten(File::create(path + ".left open on purpose", *world));
  const int ranks = world->size();
  world.reset();
  Dataset x =
      closed->root().create_dataset("x", std::vector<std::uint64_t>{3}, std::vector{1, 2, 3});
  forgotten->root().create_group("g");
  MPI_Finalize();
  if (x.read<int>() != std::vector{1, 2, 3}) failed = 1;
  if (ranks > 1) expect_state("read_all", [&] { static_cast<void>(x.read_all<int>()); });
  expect_state("flush", [&] { closed->flush(); });
  expect_state("close", [&] { closed->close(); });
  if (closed->is_open()) failed = 1;
  closed->close();
  forgotten.reset();  // prints a warning
  return failed;
}

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
    listeners.Append(new FailurePrinter(rank));  // the list owns it
    GTEST_FLAG_SET(output, "");                  // only rank 0 may write the report
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed + fails_after_finalize(rank);
}
