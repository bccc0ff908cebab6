// Bytes of rank 0 reach the ranks through memory that those of a node share: threads here.
#include "comm/node/node_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator_access.hpp"
#include "onecast/base/error.hpp"
#include "support/environment.hpp"
#include "support/pattern.hpp"
#include "support/thread_point_to_point.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {

using namespace comm;

namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20U;
constexpr std::size_t kLeast = std::size_t{64} << 10U;  ///< fewer bytes are broadcast

/// Runs `program` on nodes of two ranks, or on one node, each with a window.
template <class Program>
void run_with_windows(Program&& program) {
  for (const int size : {2, 3, 4, 7})
    for (const bool alternating : {false, true})
      run_with_communicators(size, [&](const Communicator& communicator, ThreadRank& rank) {
        rank.set_node(alternating ? rank.rank() % 2 : 0);
        CommunicatorBackend& comm = backend_of(communicator);
        const bool has_window = comm.want_window(kWindow, 4 * kWindow) != nullptr;
        EXPECT_EQ(has_window, size > 2 || !alternating);
        program(comm);
      });
}

TEST(NodeWindowTest, BringsBytesOfAllSizesAgainAndAgain) {
  run_with_windows([](CommunicatorBackend& comm) {
    for (std::size_t turn = 0; turn < 6; ++turn)
      for (const std::size_t size : {std::size_t{10}, kLeast, kWindow, 3 * kWindow + 5}) {
        const auto expected = pattern(size, turn);
        std::vector<std::byte> bytes(size);
        const std::uint64_t number = broadcast_into(comm, 0, bytes, [&] {
          std::ranges::copy(expected, bytes.begin());
          return std::uint64_t{turn + 7};
        });
        ASSERT_EQ(number, turn + 7);
        ASSERT_TRUE(bytes == expected) << size;
      }
  });
}

TEST(NodeWindowTest, AFailureReachesAllAndHarmsNothing) {
  run_with_windows([](CommunicatorBackend& comm) {
    std::vector<std::byte> bytes(kWindow, std::byte{1});
    const Error error = thrown_by([&] {
      broadcast_into(comm, 0, bytes, []() -> std::uint64_t { throw Error(ErrorCode::io, "no"); });
    });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{1}; }));
    broadcast_into(comm, 0, bytes, [&] {
      std::ranges::copy(pattern(kWindow), bytes.begin());
      return std::uint64_t{0};
    });
    EXPECT_TRUE(bytes == pattern(kWindow));
  });
}

TEST(NodeWindowTest, GrowsUpToItsLimit) {
  run_with_windows([](CommunicatorBackend& comm) {
    if (comm.window() == nullptr) return;
    const std::size_t first = comm.window()->size();
    EXPECT_EQ(first, 2 * kWindow) << "two parts";
    EXPECT_EQ(comm.want_window(kWindow / 2, 16 * kWindow)->size(), first);
    EXPECT_EQ(comm.want_window(kWindow + 1, 3 * kWindow)->size(), 3 * kWindow);
    EXPECT_EQ(comm.want_window(7 * kWindow / 2, 16 * kWindow)->size(), 7 * kWindow);
    EXPECT_EQ(comm.want_window(100 * kWindow, 16 * kWindow)->size(), 8 * kWindow);
    EXPECT_EQ(comm.want_window(100 * kWindow, 16 * kWindow)->size(), 8 * kWindow);
  });
}

TEST(NodeWindowTest, IsNotMadeWithoutRoomForTwoParts) {
  const Variable from("ONECAST_SHARE_FROM", "0");
  run_with_communicators(3, [](const Communicator& communicator, ThreadRank&) {
    CommunicatorBackend& comm = backend_of(communicator);
    EXPECT_EQ(comm.want_window(kWindow, 1), nullptr);
    EXPECT_EQ(comm.want_window(0, kWindow), nullptr);
    EXPECT_NE(comm.want_window(kWindow, 2), nullptr);
    std::vector<std::byte> bytes(3, std::byte{1});
    broadcast_into(comm, 0, bytes, [] { return std::uint64_t{0}; });
  });
}

}  // namespace
}  // namespace onecast::test
