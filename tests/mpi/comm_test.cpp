#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "comm/agreement.hpp"
#include "onecast/base/error.hpp"
#include "onecast/comm/mpi.hpp"
#include "refuse_memory.hpp"
#include "support/pattern.hpp"
#include "support/thrown_by.hpp"

namespace onecast {
namespace {

using test::pattern;
using test::thrown_by;

class CommTest : public testing::Test {
 protected:
  /// The calls that `action` takes.
  template <typename Action>
  std::uint64_t collectives(Action&& action) {
    const std::uint64_t before = comm_.collectives();
    std::forward<Action>(action)();
    return comm_.collectives() - before;
  }
  bool is(int rank) const { return comm_.rank() == rank; }
  [[nodiscard]] int last() const { return comm_.size() - 1; }
  /// What errors of a rank begin with.
  [[nodiscard]] std::string prefix(int rank) const {
    return comm_.size() > 1 ? "rank " + std::to_string(rank) + ": " : "";
  }

  static Buffer make_buffer(std::size_t size, std::size_t seed = 0) {
    Buffer buffer(size);
    const auto bytes = pattern(size, seed);
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    return buffer;
  }

  Communicator communicator_ = mpi_communicator(MPI_COMM_WORLD);
  CommunicatorBackend& comm_ = communicator_.backend();
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
    part.backend().all_reduce_max({&highest, 1});
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

TEST_F(CommTest, Broadcasts) {
  for (int root = 0; root < comm_.size(); ++root) {
    auto bytes = is(root) ? pattern(1000, 5) : std::vector<std::byte>(1000);
    EXPECT_EQ(collectives([&] { comm_.broadcast(bytes, root); }), 1U);
    EXPECT_EQ(bytes, pattern(1000, 5));
  }
  EXPECT_EQ(collectives([&] { comm_.broadcast({}, 0); }), 0U);
}

TEST_F(CommTest, ReducesElementWise) {
  const auto rank = static_cast<std::uint64_t>(comm_.rank());
  const auto highest = static_cast<std::uint64_t>(last());
  std::array<std::uint64_t, 3> low{rank, ~rank, 7};
  EXPECT_EQ(collectives([&] { comm_.all_reduce_min(low); }), 1U);
  EXPECT_EQ(low, (std::array<std::uint64_t, 3>{0, ~highest, 7}));
  std::array<std::uint64_t, 3> high{rank, ~rank, 7};
  EXPECT_EQ(collectives([&] { comm_.all_reduce_max(high); }), 1U);
  EXPECT_EQ(high, (std::array<std::uint64_t, 3>{highest, ~std::uint64_t{0}, 7}));
}

TEST_F(CommTest, GathersDifferentSizes) {
  const auto size_of = [](int rank) {
    return static_cast<std::size_t>(rank) * 100;
  };  // 0 of rank 0
  const auto all = comm_.all_gather(pattern(size_of(comm_.rank())));
  ASSERT_EQ(all.size(), static_cast<std::size_t>(comm_.size()));
  for (int r = 0; r < comm_.size(); ++r)
    EXPECT_EQ(all[static_cast<std::size_t>(r)], pattern(size_of(r)));
  EXPECT_EQ(collectives([&] { EXPECT_TRUE(comm_.all_gather({}).back().empty()); }), 1U);
}

TEST_F(CommTest, GathersPaddedInOneMessage) {
  std::vector<std::vector<std::byte>> all;
  const auto size_of = [](int rank) { return static_cast<std::size_t>(rank) * 10; };
  const auto gather = [&] {
    all = comm_.all_gather_padded(pattern(size_of(comm_.rank())), size_of(last()));
  };
  EXPECT_EQ(collectives(gather), 1U);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(comm_.size()));
  for (int r = 0; r < comm_.size(); ++r)
    EXPECT_EQ(all[static_cast<std::size_t>(r)], pattern(size_of(r)));
}

TEST_F(CommTest, GathersMoreThanASegmentInRounds) {
  if (comm_.size() > 3) GTEST_SKIP() << "too much memory";
  const std::size_t large = CommunicatorBackend::kSegment + 1;
  const auto all = comm_.all_gather(is(last()) ? pattern(large) : pattern(3, 1));
  EXPECT_TRUE(all.back() == pattern(large));
  if (last() != 0) {
    EXPECT_EQ(all.front(), pattern(3, 1));
  }
}

TEST_F(CommTest, AgreeingCostsOneReduction) {
  int got = 0;
  EXPECT_EQ(collectives([&] { got = agree(comm_, [&] { return comm_.rank() + 1; }); }), 1U);
  EXPECT_EQ(got, comm_.rank() + 1);
  EXPECT_EQ(collectives([&] { agree(comm_, [] {}); }), 1U);
}

TEST_F(CommTest, OneFailureIsEveryonesFailure) {
  for (int failing = 0; failing < comm_.size(); ++failing) {
    const auto work = [&] {
      if (is(failing)) throw Error(ErrorCode::not_found, "a.h5: open: gone", ENOENT);
      return std::make_unique<int>(1);
    };
    EXPECT_EQ(collectives([&] {
                const Error error = thrown_by([&] { agree(comm_, work); });
                EXPECT_EQ(error.code(), ErrorCode::not_found);
                EXPECT_EQ(error.system_errno(), ENOENT);
                EXPECT_EQ(error.what(), prefix(failing) + "a.h5: open: gone");
              }),
              2U);
  }
}

TEST_F(CommTest, TheLowestFailingRankIsHeard) {
  const int lowest = last() > 0 ? 1 : 0;
  const Error error = thrown_by([&] {
    agree(comm_, [&] {
      if (comm_.rank() >= lowest) throw std::runtime_error(std::to_string(comm_.rank()));
    });
  });
  EXPECT_EQ(error.what(), prefix(lowest) + std::to_string(lowest));
  EXPECT_EQ(thrown_by([&] {
              agree(comm_, [&] {
                if (is(last())) throw std::bad_alloc();
              });
            }).system_errno(),
            ENOMEM);
}

TEST_F(CommTest, SmallPayloadsRideInTheHeader) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kInlinePayload})
    for (const int root : {0, last()}) {
      Buffer got;
      EXPECT_EQ(collectives([&] {
                  got = broadcast_from_root(comm_, root, [&] {
                    EXPECT_TRUE(is(root));
                    return make_buffer(size, 3);
                  });
                }),
                1U);
      EXPECT_EQ(std::vector(got.begin(), got.end()), pattern(size, 3));
    }
}

TEST_F(CommTest, LargerPayloadsFollow) {
  const std::size_t size = kInlinePayload + 1;
  for (int root = 0; root < comm_.size(); ++root) {
    Buffer got;
    EXPECT_EQ(collectives([&] {
                got = broadcast_from_root(comm_, root, [&] { return make_buffer(size); });
              }),
              comm_.size() == 1 ? 1U : 3U)
        << "header, agreement on memory, payload";
    EXPECT_EQ(std::vector(got.begin(), got.end()), pattern(size));
  }
}

TEST_F(CommTest, LargePayloadsGoInSegments) {
  if (comm_.size() != 2) GTEST_SKIP() << "for two ranks, to spare memory";
  const std::size_t size = 2 * CommunicatorBackend::kSegment + 1;
  Buffer got;
  EXPECT_EQ(
      collectives([&] { got = broadcast_from_root(comm_, 0, [&] { return make_buffer(size); }); }),
      2U + 3U);
  EXPECT_TRUE(std::vector(got.begin(), got.end()) == pattern(size));
}

TEST_F(CommTest, AFailingRootFailsEveryone) {
  for (int root = 0; root < comm_.size(); ++root) {
    EXPECT_EQ(collectives([&] {
                const Error error = thrown_by([&] {
                  broadcast_from_root(comm_, root, []() -> Buffer {
                    throw Error(ErrorCode::format, "no superblock");
                  });
                });
                EXPECT_EQ(error.code(), ErrorCode::format);
                EXPECT_EQ(error.what(), prefix(root) + "no superblock");
              }),
              1U);
  }
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

TEST_F(CommTest, ComparesDigestsInOneReduction) {
  const auto rank = static_cast<std::uint64_t>(comm_.rank());
  std::array<std::uint64_t, 2> maxima{rank, 100 - rank};
  EXPECT_EQ(collectives([&] { EXPECT_TRUE(compare_digest(comm_, 0xFEDC, maxima)); }), 1U);
  EXPECT_EQ(maxima, (std::array<std::uint64_t, 2>{static_cast<std::uint64_t>(last()), 100}));

  const bool alone = comm_.size() == 1;
  EXPECT_EQ(compare_digest(comm_, is(last()) ? 1 : 2), alone);
  EXPECT_EQ(compare_digest(comm_, is(0) ? 0 : ~std::uint64_t{0}), alone);
}

}  // namespace
}  // namespace onecast
