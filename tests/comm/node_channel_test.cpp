// Bytes of rank 0 reach the ranks through memory that those of a node share: threads here.
#include "comm/node/node_channel.hpp"

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

constexpr std::size_t kChannel = std::size_t{1} << 20U;
constexpr std::size_t kLeast = std::size_t{64} << 10U;  ///< fewer bytes are broadcast

/// Runs `program` on nodes of two ranks, or on one node, each with a channel.
template <class Program>
void run_with_channels(Program&& program) {
  for (const int size : {2, 3, 4, 7})
    for (const bool alternating : {false, true})
      run_with_communicators(size, [&](const Communicator& communicator, ThreadRank& rank) {
        rank.set_node(alternating ? rank.rank() % 2 : 0);
        CommunicatorBackend& comm = backend_of(communicator);
        const bool has_channel = comm.want_channel(kChannel, 4 * kChannel) != nullptr;
        EXPECT_EQ(has_channel, size > 2 || !alternating);
        program(comm);
      });
}

TEST(NodeChannelTest, BringsBytesOfAllSizesAgainAndAgain) {
  run_with_channels([](CommunicatorBackend& comm) {
    for (std::size_t turn = 0; turn < 6; ++turn)
      for (const std::size_t size : {std::size_t{10}, kLeast, kChannel, 3 * kChannel + 5}) {
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

TEST(NodeChannelTest, AFailureReachesAllAndHarmsNothing) {
  run_with_channels([](CommunicatorBackend& comm) {
    std::vector<std::byte> bytes(kChannel, std::byte{1});
    const Error error = thrown_by([&] {
      broadcast_into(comm, 0, bytes, []() -> std::uint64_t { throw Error(ErrorCode::io, "no"); });
    });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{1}; }));
    broadcast_into(comm, 0, bytes, [&] {
      std::ranges::copy(pattern(kChannel), bytes.begin());
      return std::uint64_t{0};
    });
    EXPECT_TRUE(bytes == pattern(kChannel));
  });
}

TEST(NodeChannelTest, GrowsUpToItsLimit) {
  run_with_channels([](CommunicatorBackend& comm) {
    if (comm.channel() == nullptr) return;
    const std::size_t first = comm.channel()->size();
    EXPECT_EQ(first, 2 * kChannel) << "two parts";
    EXPECT_EQ(comm.want_channel(kChannel / 2, 16 * kChannel)->size(), first);
    EXPECT_EQ(comm.want_channel(kChannel + 1, 3 * kChannel)->size(), 3 * kChannel);
    EXPECT_EQ(comm.want_channel(7 * kChannel / 2, 16 * kChannel)->size(), 7 * kChannel);
    EXPECT_EQ(comm.want_channel(100 * kChannel, 16 * kChannel)->size(), 8 * kChannel);
    EXPECT_EQ(comm.want_channel(100 * kChannel, 16 * kChannel)->size(), 8 * kChannel);
  });
}

TEST(NodeChannelTest, IsNotMadeWithoutRoomForTwoParts) {
  const Variable from("ONECAST_SHARE_FROM", "0");
  run_with_communicators(3, [](const Communicator& communicator, ThreadRank&) {
    CommunicatorBackend& comm = backend_of(communicator);
    EXPECT_EQ(comm.want_channel(kChannel, 1), nullptr);
    EXPECT_EQ(comm.want_channel(0, kChannel), nullptr);
    EXPECT_NE(comm.want_channel(kChannel, 2), nullptr);
    std::vector<std::byte> bytes(3, std::byte{1});
    broadcast_into(comm, 0, bytes, [] { return std::uint64_t{0}; });
  });
}

}  // namespace
}  // namespace onecast::test
