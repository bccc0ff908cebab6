// Ranks of a node share one copy of bytes: threads here, on nodes in any order.
#include "comm/node/node_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "comm/communicator_access.hpp"
#include "comm/node/node_broadcast.hpp"
#include "comm/status_message.hpp"
#include "onecast/base/error.hpp"
#include "support/pattern.hpp"
#include "support/thread_point_to_point.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {

using namespace comm;

namespace {

const std::size_t kMuch = NodeBuffer::share_from() + 12345;

NodeBuffer filled(std::size_t size) {
  NodeBuffer buffer = NodeBuffer::to_share(size);
  const auto bytes = pattern(size);
  std::copy(bytes.begin(), bytes.end(), buffer.data());
  return buffer;
}

bool has_pattern(const NodeBuffer& buffer, std::size_t size) {
  const auto bytes = pattern(size);
  return std::ranges::equal(buffer.span(), bytes);
}

TEST(NodeBufferTest, ChangesAreOfOneHolder) {
  NodeBuffer made = filled(kMuch);
  made.seal();
  NodeBuffer found = NodeBuffer::find(made.offer());
  ASSERT_TRUE(has_pattern(found, kMuch));
  made.data()[5] = std::byte{0xAA};
  found.data()[kMuch - 1] = std::byte{0xBB};
  EXPECT_EQ(found.data()[5], pattern(kMuch)[5]);
  EXPECT_EQ(made.data()[kMuch - 1], pattern(kMuch)[kMuch - 1]);
}

TEST(NodeBufferTest, ItsMakerChangesItForAll) {
  NodeBuffer made = filled(kMuch);
  made.seal();
  NodeBuffer found = NodeBuffer::find(made.offer());
  EXPECT_TRUE(found.of_all_ranks().empty());
  made.of_all_ranks()[5] = std::byte{0xAA};
  EXPECT_EQ(found.data()[5], std::byte{0xAA});
  EXPECT_EQ(made.data()[5], std::byte{0xAA});
  found.data()[5] = std::byte{0xBB};
  made.of_all_ranks()[5] = std::byte{0xCC};
  EXPECT_EQ(found.data()[5], std::byte{0xBB}) << "it is this holder's own";
  EXPECT_EQ(made.data()[5], std::byte{0xCC});
}

TEST(NodeBufferTest, WhatItsMakerFreesIsGone) {
  NodeBuffer made = filled(kMuch);
  made.seal();
  const NodeBuffer found = NodeBuffer::find(made.offer());
  constexpr std::size_t kPage = 4096;
  made.free_part(kPage - 1, 2 * kPage + 1);
  const auto expected = pattern(kMuch);
  EXPECT_EQ(found.span()[kPage - 1], expected[kPage - 1]);
  EXPECT_EQ(found.span()[3 * kPage], expected[3 * kPage]);
  for (std::size_t i = kPage; i < 3 * kPage; ++i) ASSERT_EQ(found.span()[i], std::byte{0});
}

TEST(NodeBufferTest, AnEndedOrInventedOfferLeadsNowhere) {
  NodeBuffer made = filled(kMuch);
  NodeOffer offer = made.offer();
  ASSERT_FALSE(NodeBuffer::find(offer).empty());
  ++offer.number;
  EXPECT_TRUE(NodeBuffer::find(offer).empty());
  --offer.number;
  made.end_offer();
  EXPECT_TRUE(NodeBuffer::find(offer).empty());
  EXPECT_TRUE(has_pattern(made, kMuch));
  EXPECT_TRUE(NodeBuffer::find({}).empty());
  EXPECT_FALSE(filled(NodeBuffer::share_from() - 1).offer().is_made());
}

struct Nodes {
  std::string name;
  int (*node_of)(int rank);
};

class NodeBroadcastTest : public testing::TestWithParam<std::tuple<int, Nodes>> {
 protected:
  template <class Program>
  void run(Program&& program) {
    const auto& [size, nodes] = GetParam();
    run_with_communicators(size, [&](const Communicator& communicator, ThreadRank& rank) {
      rank.set_node(nodes.node_of(rank.rank()));
      program(backend_of(communicator));
    });
  }
  /// Returns true if another rank is on the node of this one.
  static bool has_company(int rank) {
    const auto& [size, nodes] = GetParam();
    for (int r = 0; r < size; ++r)
      if (r != rank && nodes.node_of(r) == nodes.node_of(rank)) return true;
    return false;
  }
  /// Returns true if this rank is the first one of a node that others are on.
  static bool makes_for_others(const CommunicatorBackend& comm) {
    return comm.knows_nodes() && comm.node_leader().rank == comm.rank() && has_company(comm.rank());
  }
};

TEST_P(NodeBroadcastTest, BringsTheBytes) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, kInlinePayload + 1, kMuch})
    run([&](CommunicatorBackend& comm) {
      for (int turn = 0; turn < 2; ++turn) {
        const NodeBuffer got = broadcast_to_nodes(comm, [&] { return filled(size); });
        EXPECT_TRUE(has_pattern(got, size));
        EXPECT_EQ(got.is_shared(), size == kMuch && has_company(comm.rank())) << comm.rank();
      }
    });
}

TEST_P(NodeBroadcastTest, ChangesAreOfOneRank) {
  run([&](CommunicatorBackend& comm) {
    NodeBuffer got = broadcast_to_nodes(comm, [&] { return filled(kMuch); });
    comm.barrier();
    got.data()[100] = static_cast<std::byte>(comm.rank());
    comm.barrier();
    EXPECT_EQ(got.data()[100], static_cast<std::byte>(comm.rank()));
    got.data()[100] = pattern(kMuch)[100];
    EXPECT_TRUE(has_pattern(got, kMuch));
  });
}

TEST_P(NodeBroadcastTest, OutlivesTheFirstRanksCopy) {
  run([&](CommunicatorBackend& comm) {
    NodeBuffer got = broadcast_to_nodes(comm, [&] { return filled(kMuch); });
    if (comm.rank() == 0) got = {};
    comm.barrier();
    if (comm.rank() != 0) {
      EXPECT_TRUE(has_pattern(got, kMuch));
    }
  });
}

TEST_P(NodeBroadcastTest, AFailureReachesAll) {
  run([&](CommunicatorBackend& comm) {
    const Error error = thrown_by([&] {
      broadcast_to_nodes(comm, []() -> NodeBuffer { throw Error(ErrorCode::format, "no"); });
    });
    EXPECT_EQ(error.code(), ErrorCode::format);
  });
}

TEST_P(NodeBroadcastTest, TakesThreeCallsOnSeveralNodes) {
  const auto& [size, nodes] = GetParam();
  if (size < 4 || (nodes.name != "Pairs" && nodes.name != "Alternating"))
    GTEST_SKIP() << "one node, or a node for each rank, or other steps";
  run([&](CommunicatorBackend& comm) {
    comm.be_on_several_nodes();
    for (int turn = 0; turn < 2; ++turn) {
      const std::uint64_t before = comm.collectives();
      EXPECT_TRUE(has_pattern(broadcast_to_nodes(comm, [&] { return filled(kMuch); }), kMuch));
      EXPECT_EQ(comm.collectives() - before, 3U)
          << "the status and the nodes; the bytes; does every rank have them?";
    }
  });
}

TEST_P(NodeBroadcastTest, AFileOfEachNodeGetsItsSizeLater) {
  run([&](CommunicatorBackend& comm) {
    for (int turn = 0; turn < 2; ++turn) {
      OfferedFile mine = offer_node_file(comm, true);
      EXPECT_EQ(mine.made.is_open(), comm.rank() == 0 || (turn == 1 && makes_for_others(comm)));
      NodeOffer first = comm.rank() == 0 ? mine.made.offer() : NodeOffer();
      comm.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0);
      comm.barrier();  // all ranks have made their offers, as after the header of a call
      const std::uint64_t before = comm.collectives();
      const std::string nodes = std::get<1>(GetParam()).name;
      NodeFile file = find_node_file(comm, first, std::move(mine), nodes == "One");
      EXPECT_EQ(file.offer.is_made(), has_company(comm.rank()) || nodes == "One") << comm.rank();
      if (turn == 1) {
        EXPECT_EQ(comm.collectives(), before) << "the nodes are known";
      }
      const bool makes = file.made.is_open();
      file.offer.size = kMuch;
      NodeBuffer buffer =
          makes ? NodeBuffer::in(std::move(file.made), kMuch) : NodeBuffer::find(file.offer, false);
      EXPECT_EQ(buffer.empty(), !file.offer.is_made());
      if (makes) {
        const auto bytes = pattern(kMuch);
        std::copy(bytes.begin(), bytes.end(), buffer.data());
        buffer.seal();
      }
      comm.barrier();
      if (!buffer.empty()) {
        EXPECT_TRUE(has_pattern(buffer, kMuch));
      }
      comm.barrier();
    }
  });
}

/// The first call finds out the nodes after it has met, and the files of both calls are open at the
/// same time.
TEST_P(NodeBroadcastTest, FilesOfTwoCallsHaveDifferentNames) {
  if (std::get<1>(GetParam()).name == "One") GTEST_SKIP() << "rank 0 offers them by other numbers";
  run([&](CommunicatorBackend& comm) {
    std::vector<NodeBuffer> made;
    for (const std::byte content : {std::byte{1}, std::byte{2}}) {
      OfferedFile mine = offer_node_file(comm, true);
      NodeOffer first = comm.rank() == 0 ? mine.made.offer() : NodeOffer();
      comm.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0);
      CallHeader header;
      header.first.rank = comm.rank();
      header.kinds = CallHeader::bit(header.first.kind);
      comm.calls().meet(header, "a.h5", {header.first.kind});
      NodeFile file = find_node_file(comm, first, std::move(mine), false);
      file.offer.size = kMuch;
      if (file.made.is_open()) {
        NodeBuffer& buffer = made.emplace_back(NodeBuffer::in(std::move(file.made), kMuch));
        std::ranges::fill(buffer.span(), content);
        buffer.seal();
      }
      comm.barrier();
      if (file.offer.is_made()) {
        const NodeBuffer found = NodeBuffer::find(file.offer);
        EXPECT_TRUE(!found.empty() && found.span()[5] == content) << comm.rank();
      }
      comm.barrier();
    }
  });
}

/// Only rank 0 knows whether the file is worth it.
TEST_P(NodeBroadcastTest, TheFirstRankOfANodeMakesAFileInAnyCase) {
  run([&](CommunicatorBackend& comm) {
    static_cast<void>(count_nodes(comm));
    EXPECT_EQ(offer_node_file(comm, comm.rank() == 0).made.is_open(),
              comm.rank() == 0 || makes_for_others(comm));
    EXPECT_EQ(offer_node_file(comm, false).made.is_open(),
              comm.rank() != 0 && makes_for_others(comm));
  });
}

std::string name_of_ranks(const testing::TestParamInfo<std::tuple<int, Nodes>>& ranks) {
  return std::get<1>(ranks.param).name + std::to_string(std::get<0>(ranks.param));
}

INSTANTIATE_TEST_SUITE_P(
    Ranks, NodeBroadcastTest,
    testing::Combine(testing::Values(1, 2, 3, 4, 7),
                     testing::Values(Nodes{"One", [](int) { return 5; }},
                                     Nodes{"Each", [](int rank) { return rank; }},
                                     Nodes{"Pairs", [](int rank) { return rank / 2; }},
                                     Nodes{"Alternating", [](int rank) { return rank % 2; }},
                                     Nodes{"FirstAlone",
                                           [](int rank) { return rank != 0 ? 1 : 2; }},
                                     Nodes{"Mixed", [](int rank) { return rank * 5 % 3; }})),
    name_of_ranks);

}  // namespace
}  // namespace onecast::test
