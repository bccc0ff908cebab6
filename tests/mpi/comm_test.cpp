#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>

#include "comm/agreement.hpp"
#include "comm/communicator_access.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/mpi.hpp"
#include "refuse_memory.hpp"
#include "support/communicator_conformance.hpp"
#include "support/thrown_by.hpp"

namespace onecast {

using namespace comm;

namespace {

using test::thrown_by;

class CommTest : public testing::Test {
 protected:
  bool is(int rank) const { return comm_.rank() == rank; }
  [[nodiscard]] int last() const { return comm_.size() - 1; }
  /// Returns the beginning of a rank's errors.
  [[nodiscard]] std::string prefix(int rank) const {
    return comm_.size() > 1 ? "rank " + std::to_string(rank) + ": " : "";
  }

  Communicator communicator_ = mpi_communicator(MPI_COMM_WORLD);
  CommunicatorBackend& comm_ = backend_of(communicator_);
};

TEST_F(CommTest, KnowsRankAndSize) {
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(communicator_.rank(), rank);
  EXPECT_EQ(communicator_.size(), size);
  EXPECT_EQ(comm_.collectives(), 1U) << "the duplication";
}

TEST_F(CommTest, RefusesWhatIsNoIntracommunicator) {
  EXPECT_EQ(thrown_by([] { mpi_communicator(MPI_COMM_NULL); }).code(), ErrorCode::invalid_argument);
  if (comm_.size() < 2) return;
  const int side = comm_.rank() % 2;
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &mine);
  MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, 1 - side, 0, &both);
  EXPECT_EQ(thrown_by([&] { mpi_communicator(both); }).code(), ErrorCode::invalid_argument);
  MPI_Comm_free(&both);
  MPI_Comm_free(&mine);
}

TEST_F(CommTest, WorksOnPartsOfTheWorld) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, comm_.rank() % 2, 0, &half);
  {
    const Communicator part = mpi_communicator(half);
    std::uint64_t highest = static_cast<std::uint64_t>(comm_.rank());
    backend_of(part).all_reduce_max({&highest, 1});
    EXPECT_EQ(highest % 2, static_cast<std::uint64_t>(comm_.rank() % 2));
  }
  MPI_Comm_free(&half);
}

TEST_F(CommTest, ThrowsWhatMpiComplainsAbout) {
  std::array<std::byte, 1> byte{};
  const Error error = thrown_by([&] { comm_.broadcast(byte, comm_.size() + 5); });
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(std::string(error.what()).rfind("MPI_Bcast: ", 0), 0U) << error.what();
}

TEST_F(CommTest, NobodyWaitsForARankWithoutMemory) {
  constexpr std::size_t kSize = 1U << 20U;
  const auto broadcast = [&] { broadcast_from_root(comm_, 0, [] { return Buffer(kSize); }); };
  std::optional<test::RefuseMemory> refuse;
  if (is(last())) refuse.emplace(kSize);
  const Error error = thrown_by(broadcast);
  refuse.reset();
  EXPECT_EQ(error.code(), ErrorCode::io);
  EXPECT_EQ(error.system_errno(), ENOMEM);
  EXPECT_EQ(error.what(), prefix(last()) + "out of memory");
  broadcast();
}

class CommConformance : public testing::TestWithParam<test::CommunicatorCheck> {};

TEST_P(CommConformance, Holds) {
  const Communicator world = mpi_communicator(MPI_COMM_WORLD);
  GetParam()(backend_of(world));
}
INSTANTIATE_TEST_SUITE_P(Mpi, CommConformance, testing::ValuesIn(test::communicator_checks()),
                         test::name_of_check);

}  // namespace
}  // namespace onecast
