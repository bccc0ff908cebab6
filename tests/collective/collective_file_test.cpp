#include "collective/collective_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "onecast/base/error.hpp"
#include "support/collective_scenario.hpp"
#include "support/fault_transport.hpp"
#include "support/memory_transport.hpp"
#include "support/thread_ranks.hpp"
#include "support/trace_transport.hpp"

namespace onecast::collective {
namespace {

using test::IoCall;
using test::Scenario;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kStripe = 64;

StripeLayout stripes(std::uint32_t count, std::uint64_t size = kStripe) {
  return {size, count, StripeLayout::Source::pretended};
}

/// A file in memory, with a record of each rank's calls.
class World {
 public:
  World(int ranks, int ranks_per_node) : ranks_(ranks), ranks_per_node_(ranks_per_node) {
    disk_->open("file", OpenMode::create);
    for (int r = 0; r < ranks; ++r) {
      traces_.push_back(std::make_shared<test::IoTrace>());
      faults_.push_back(std::make_shared<test::FaultPlan>());
    }
  }

  Bytes& bytes() { return disk_->find("file")->bytes; }
  test::FaultPlan& faults(int rank) { return *faults_[static_cast<std::size_t>(rank)]; }
  const test::IoTrace& trace(int rank) { return *traces_[static_cast<std::size_t>(rank)]; }
  void forget() {
    for (auto& trace : traces_) trace->clear();
  }
  [[nodiscard]] int node_of(int rank) const { return rank / ranks_per_node_; }

  /// Runs `program(rank, file)` on all ranks.
  template <class F>
  void run(const StripeLayout& layout, const CollectiveOptions& options, F&& program) {
    test::run_ranks(ranks_, ranks_per_node_, [&](CommunicatorBackend& comm) {
      const auto r = static_cast<std::size_t>(comm.rank());
      const auto transport =
          test::fault_factory(test::trace_factory(test::memory_factory(disk_), traces_[r]),
                              faults_[r])("file", OpenMode::read_write);
      CollectiveFile file(comm, *transport, layout, options);
      program(comm.rank(), file);
    });
  }

 private:
  int ranks_;
  int ranks_per_node_;
  std::shared_ptr<test::MemoryDisk> disk_ = std::make_shared<test::MemoryDisk>();
  std::vector<std::shared_ptr<test::IoTrace>> traces_;
  std::vector<std::shared_ptr<test::FaultPlan>> faults_;
};

CollectiveOptions with(Method method, std::uint64_t buffer = 16 << 20U) {
  CollectiveOptions options;
  options.method = method;
  options.collective_buffer = buffer;
  return options;
}

/// Checks that no two ranks write one stripe, no two nodes one target, nobody a byte twice, and
/// that one call writes each contiguous part of a stripe.
void check_writes(World& world, int ranks, std::uint32_t targets, const Scenario& scenario) {
  std::map<std::uint64_t, std::set<int>> ranks_of_stripe;
  std::map<std::uint64_t, std::set<int>> nodes_of_target;
  std::size_t calls = 0;
  std::map<std::uint64_t, int> times;
  for (int r = 0; r < ranks; ++r)
    for (const IoCall& call : world.trace(r)) {
      ASSERT_EQ(call.kind, IoCall::Kind::write);
      ++calls;
      for (std::uint64_t at = call.offset; at < call.offset + call.size; ++at) {
        ranks_of_stripe[at / kStripe].insert(r);
        nodes_of_target[at / kStripe % targets].insert(world.node_of(r));
        ++times[at];
      }
    }
  for (const auto& [stripe, writers] : ranks_of_stripe) EXPECT_EQ(writers.size(), 1U) << stripe;
  for (const auto& [target, nodes] : nodes_of_target) EXPECT_EQ(nodes.size(), 1U) << target;
  for (const auto& [at, n] : times) EXPECT_EQ(n, 1) << at;

  std::set<std::uint64_t> wanted;
  for (const ExtentList& list : scenario.all())
    list.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t) {
      for (std::uint64_t i = 0; i < length; ++i) wanted.insert(offset + i);
    });
  EXPECT_EQ(times.size(), wanted.size()) << "holes are left alone";
  std::size_t parts = 0;
  for (const std::uint64_t at : wanted)
    if (at % kStripe == 0 || !wanted.contains(at - 1)) ++parts;
  EXPECT_LE(calls, parts);
  if (targets > 1 && ranks > 1 && ranks_of_stripe.size() > 1 &&
      std::min<std::size_t>(targets, static_cast<std::size_t>(ranks)) == targets) {
    EXPECT_EQ(calls, parts);
  }
}

/// Checks that no byte is read twice.
void check_reads(World& world, int ranks) {
  std::map<std::uint64_t, int> times;
  for (int r = 0; r < ranks; ++r)
    for (const IoCall& call : world.trace(r))
      for (std::uint64_t at = call.offset; at < call.offset + call.size; ++at) ++times[at];
  for (const auto& [at, n] : times) EXPECT_EQ(n, 1) << at;
}

void check_transfers(int ranks, int ranks_per_node, std::uint32_t targets, unsigned seed,
                     Scenario::Shape shape, const CollectiveOptions& options) {
  SCOPED_TRACE(testing::Message() << ranks << " ranks, " << ranks_per_node << " on a node, "
                                  << targets << " targets, seed " << seed << ", shape "
                                  << static_cast<int>(shape) << ", " << name_of(options.method));
  World world(ranks, ranks_per_node);
  const Scenario scenario(ranks, seed, shape);
  world.bytes() = test::pattern(300, 9);
  const Bytes expected = scenario.written(world.bytes());

  world.run(stripes(targets), options, [&](int rank, CollectiveFile& file) {
    file.write(scenario.of(rank), scenario.data(rank));
  });
  Bytes found = world.bytes();
  found.resize(expected.size());
  ASSERT_EQ(found, expected);
  // With small buffers, a window has no room for a stripe of several writers, or for one stripe of
  // each target.
  const bool whole_stripes = options.collective_buffer > 2000 ||
                             (shape != Scenario::Shape::overlapping && options.relay_from != 1);
  if (options.method == Method::collective && whole_stripes)
    check_writes(world, ranks, targets, scenario);

  world.forget();
  const Scenario other(ranks, seed + 1000, shape);
  std::vector<Bytes> read(static_cast<std::size_t>(ranks));
  world.run(stripes(targets), options, [&](int rank, CollectiveFile& file) {
    Bytes out(static_cast<std::size_t>(other.of(rank).buffer_size()), std::byte{0xAA});
    file.read(other.of(rank), out);
    read[static_cast<std::size_t>(rank)] = out;
    EXPECT_LE(file.stats().buffer_peak, options.collective_buffer);
  });
  for (int r = 0; r < ranks; ++r)
    ASSERT_EQ(read[static_cast<std::size_t>(r)], other.read(r, world.bytes())) << r;
  if (options.method == Method::collective) check_reads(world, ranks);
}

TEST(CollectiveFile, TwoPhasesDoWhatOneProcessWould) {
  unsigned seed = 0;
  for (const int ranks : {1, 2, 3, 5, 8})
    for (const std::uint32_t targets : {1U, 3U, 4U, 5U, 13U})
      for (const auto shape : test::kShapes)
        for (const std::uint64_t buffer : {16U << 20U, 2000U, 330U}) {
          ++seed;
          check_transfers(ranks, 1 + static_cast<int>(seed % 3), targets, seed, shape,
                          with(Method::collective, buffer));
        }
}

TEST(CollectiveFile, RanksOfANodeSendTogether) {
  unsigned seed = 20000;
  for (const int ranks : {3, 5, 8})
    for (const std::uint32_t targets : {1U, 3U, 4U, 13U})
      for (const auto shape : test::kShapes)
        for (const std::uint64_t buffer : {16U << 20U, 2000U, 330U}) {
          CollectiveOptions options = with(Method::collective, buffer);
          options.relay_from = 1;
          ++seed;
          check_transfers(ranks, 2 + static_cast<int>(seed % 2), targets, seed, shape, options);
        }
}

TEST(CollectiveFile, SendingTogetherTakesFewerMessages) {
  constexpr int kRanks = 8;
  const Scenario scenario(kRanks, 4, Scenario::Shape::interleaved);
  std::map<std::uint32_t, std::uint64_t> messages;
  for (const std::uint32_t relay_from : {0U, 2U}) {
    std::vector<std::uint64_t> sent(kRanks);
    test::run_ranks(kRanks, 4, [&](CommunicatorBackend& comm) {
      const auto disk = std::make_shared<test::MemoryDisk>();
      const auto transport = test::memory_factory(disk)("file", OpenMode::create);
      CollectiveOptions options = with(Method::collective);
      options.relay_from = relay_from;
      CollectiveFile file(comm, *transport, stripes(2), options);
      file.write(scenario.of(comm.rank()), scenario.data(comm.rank()));
      sent[static_cast<std::size_t>(comm.rank())] = comm.sent().messages;
    });
    for (const std::uint64_t n : sent) messages[relay_from] += n;
  }
  EXPECT_GT(messages[0], 2U);
  EXPECT_EQ(messages[2], 2U) << "from the leader of each node to the aggregator of the other";
}

TEST(CollectiveFile, EveryMethodDoesTheSame) {
  unsigned seed = 5000;
  for (const int ranks : {2, 3, 5})
    for (const auto shape : test::kShapes)
      for (const Method method : {Method::automatic, Method::independent, Method::plain,
                                  Method::broadcast, Method::edges}) {
        // These methods do not define an order of the ranks' writes.
        if (shape == Scenario::Shape::overlapping && method != Method::edges &&
            method != Method::broadcast)
          continue;
        check_transfers(ranks, 2, 3, ++seed, shape, with(method));
      }
}

TEST(CollectiveFile, TheSameBytesAreReadOnceAndWrittenOnce) {
  constexpr int kRanks = 4;
  for (const bool packed : {true, false}) {
    World world(kRanks, 2);
    world.bytes() = test::pattern(1000);
    ExtentListBuilder builder;
    for (std::uint64_t i = 0; i < 20; ++i) builder.add(i * 50, 25, packed ? i * 25 : i * 26);
    const ExtentList list = builder.take();
    const Bytes before = world.bytes();
    world.run(stripes(3), with(Method::automatic, 100), [&](int, CollectiveFile& file) {
      Bytes out(600);
      file.read(list, out);
      EXPECT_EQ(file.stats().last.method, Method::broadcast);
      list.for_each([&](std::uint64_t offset, std::uint64_t length, std::uint64_t position) {
        for (std::size_t i = 0; i < length; ++i) EXPECT_EQ(out[position + i], before[offset + i]);
      });
    });
    EXPECT_EQ(world.trace(0).size(), 1U) << "they lie close to each other";
    for (int r = 1; r < kRanks; ++r) EXPECT_TRUE(world.trace(r).empty());
    world.forget();
    world.run(stripes(3), with(Method::automatic, 100), [&](int rank, CollectiveFile& file) {
      file.write(list, test::pattern(600, static_cast<std::size_t>(rank)));
    });
    EXPECT_EQ(world.bytes()[0], test::pattern(1, kRanks - 1)[0]) << "the highest rank wins";
    EXPECT_EQ(world.trace(kRanks - 1).size(), 20U);
  }
}

/// Each rank has three stripes, one on each target.
TEST(CollectiveFile, RanksThatTransferAloneBeginOnDifferentTargets) {
  constexpr int kRanks = 3;
  constexpr std::uint64_t kEach = kRanks * kStripe;
  World world(kRanks, 1);
  const auto part_of = [](int rank) {
    ExtentListBuilder builder;
    builder.add(static_cast<std::uint64_t>(rank) * kEach, kEach);
    return builder.take();
  };
  const auto expect_targets = [&] {
    for (int r = 0; r < kRanks; ++r) {
      const auto first = world.trace(r).front().offset;
      EXPECT_EQ(first / kStripe % kRanks, static_cast<std::uint64_t>(r));
      EXPECT_EQ(world.trace(r).size(), r == 0 ? 1U : 2U);
    }
    world.forget();
  };
  world.run(stripes(kRanks), with(Method::plain), [&](int rank, CollectiveFile& file) {
    file.write(part_of(rank), test::pattern(kEach, static_cast<std::size_t>(rank)));
  });
  expect_targets();
  world.run(stripes(kRanks), with(Method::plain), [&](int rank, CollectiveFile& file) {
    Bytes found(kEach);
    file.read(part_of(rank), found);
    EXPECT_EQ(found, test::pattern(kEach, static_cast<std::size_t>(rank)));
  });
  expect_targets();
}

/// Without a request, each target is written from one node.
TEST(CollectiveFile, WholeStripesGoToTheirOwnersOnSeveralNodes) {
  constexpr int kRanks = 4;
  for (const int of_node : {1, 2, 4}) {
    World world(kRanks, of_node);
    world.run(stripes(2), with(Method::automatic), [&](int rank, CollectiveFile& file) {
      ExtentListBuilder builder;
      builder.add(static_cast<std::uint64_t>(rank) * 4 * kStripe, 4 * kStripe);
      file.write(builder.take(), Bytes(4 * kStripe));
      EXPECT_EQ(file.stats().last.method, of_node == kRanks ? Method::plain : Method::collective);
    });
    std::map<std::uint64_t, std::set<int>> nodes_of_target;
    for (int r = 0; r < kRanks; ++r)
      for (const IoCall& call : world.trace(r))
        for (std::uint64_t at = call.offset; at < call.offset + call.size; at += kStripe)
          nodes_of_target[at / kStripe % 2].insert(world.node_of(r));
    for (const auto& [target, nodes] : nodes_of_target) EXPECT_EQ(nodes.size(), 1U) << target;
  }
}

TEST(CollectiveFile, OnlyTheEdgesAreExchanged) {
  constexpr int kRanks = 3;
  World world(kRanks, 1);
  world.run(stripes(3), with(Method::edges), [&](int rank, CollectiveFile& file) {
    ExtentListBuilder builder;
    builder.add(static_cast<std::uint64_t>(rank) * 1000, 1000);
    file.write(builder.take(), test::pattern(1000, static_cast<std::size_t>(rank)));
    EXPECT_EQ(file.stats().last.method, Method::edges);
  });
  // The whole stripes are [0, 960), [1024, 1984) and [2048, 2944). Edge stripes lie between them,
  // and the last one ends at 3000.
  std::vector<std::uint64_t> offsets;
  for (int r = 0; r < kRanks; ++r)
    for (const IoCall& call : world.trace(r)) offsets.push_back(call.offset);
  std::sort(offsets.begin(), offsets.end());
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 960, 1024, 1984, 2048, 2944}));
}

TEST(CollectiveFile, PlansAreUsedAgain) {
  constexpr int kRanks = 4;
  World world(kRanks, 2);
  const Scenario scenario(kRanks, 3, Scenario::Shape::interleaved);
  world.run(stripes(3), with(Method::collective, 1000), [&](int rank, CollectiveFile& file) {
    const ExchangePlan plan = file.plan(TransferDirection::writing, scenario.of(rank));
    const ExchangePlan reading = file.plan(TransferDirection::reading, scenario.of(rank));
    const auto size = static_cast<std::size_t>(scenario.of(rank).buffer_size());
    for (std::size_t step = 0; step < 5; ++step) {
      const Bytes bytes = test::pattern(size, step * 7 + static_cast<std::size_t>(rank));
      file.write(plan, bytes);
      Bytes out(size);
      file.read(reading, out);
      scenario.of(rank).for_each([&](std::uint64_t, std::uint64_t length, std::uint64_t position) {
        for (std::size_t i = position; i < position + length; ++i) ASSERT_EQ(out[i], bytes[i]);
      });
    }
    EXPECT_EQ(file.stats().plans, 2U);
  });
}

TEST(CollectiveFile, PlansAreKeptOverTimeSteps) {
  constexpr int kRanks = 4;
  constexpr std::uint64_t kTurn = 3 * kStripe;
  for (const std::uint32_t relay_from : {0U, 1U}) {
    World world(kRanks, 2);
    CollectiveOptions options = with(Method::collective, 1000);
    options.relay_from = relay_from;
    const auto list_of = [](int rank, std::uint64_t first) {
      ExtentListBuilder builder;
      if (rank != 2)  // rank 2 has nothing
        for (std::uint64_t i = 0; i < 20; ++i)
          builder.add(first + (i * kRanks + static_cast<std::uint64_t>(rank)) * 24, 24, i * 30);
      return builder.take();
    };
    world.run(stripes(3), options, [&](int rank, CollectiveFile& file) {
      const auto step = [&](std::uint64_t first, std::uint64_t plans, std::uint64_t reused) {
        const ExtentList list = list_of(rank, first);
        const auto size = static_cast<std::size_t>(list.buffer_size());
        const Bytes bytes = test::pattern(size, static_cast<std::size_t>(first) + 9);
        file.write(list, bytes);
        EXPECT_EQ(file.stats().plans, plans) << first;
        EXPECT_EQ(file.stats().plans_reused, reused) << first;
        Bytes out(size);
        file.read(list, out);
        list.for_each([&](std::uint64_t, std::uint64_t length, std::uint64_t position) {
          for (std::size_t i = position; i < position + length; ++i) ASSERT_EQ(out[i], bytes[i]);
        });
      };
      step(7, 1, 0);               // and one plan to read
      step(7, 2, 1);               // both plans again
      step(7 + 20 * kTurn, 2, 3);  // another time step
      step(7 + 10 * kTurn, 2, 5);
      step(8 + 10 * kTurn, 3, 6);  // the stripes lie differently
      // One rank has moved its pieces, the others have not.
      file.write(list_of(rank, rank == 1 ? 7 + 40 * kTurn : 7),
                 Bytes(static_cast<std::size_t>(list_of(rank, 0).buffer_size())));
      EXPECT_EQ(file.stats().plans_reused, 6U);
    });
  }
}

/// Without fixed owners of stripes, a plan fits at any distance.
TEST(CollectiveFile, PlansFitAtAnyDistanceWhereStripesAreAssumed) {
  World world(3, 1);
  StripeLayout layout = stripes(3);
  layout.source = StripeLayout::Source::assumed;
  world.run(layout, with(Method::collective, 1000), [&](int rank, CollectiveFile& file) {
    std::uint64_t reused = 0;
    for (const std::uint64_t first : {5'000U, 5'001U, 9'999U, 3U, 5'000U}) {
      ExtentListBuilder builder;
      for (std::uint64_t i = 0; i < 20; ++i)
        builder.add(first + (i * 3 + static_cast<std::uint64_t>(rank)) * 24, 24);
      const ExtentList list = builder.take();
      const Bytes bytes =
          test::pattern(static_cast<std::size_t>(list.bytes()), static_cast<std::size_t>(first));
      file.write(list, bytes);
      Bytes out(bytes.size());
      file.read(list, out);
      EXPECT_EQ(out, bytes) << first;
      EXPECT_EQ(file.stats().plans, 2U);
      EXPECT_EQ(file.stats().plans_reused, reused);
      reused += 2;
    }
  });
}

TEST(CollectiveFile, FarApartPiecesTakeFewRounds) {
  World world(3, 1);
  std::vector<Bytes> read(3);
  world.run(stripes(4, 1 << 20U), with(Method::collective, 1 << 20U),
            [&](int rank, CollectiveFile& file) {
              ExtentListBuilder builder;
              // 2^40 windows lie between the pieces. Nothing lies behind the end of the file.
              for (std::uint64_t i = 0; i < 5; ++i)
                builder.add((i << 60U) + static_cast<std::uint64_t>(rank) * 8, 8);
              Bytes out(40, std::byte{1});
              file.read(builder.take(), out);
              EXPECT_EQ(out, Bytes(40));
            });
}

/// Checks that all ranks get the same Error, or none.
template <class F>
void expect_same_error(World& world, int ranks, const CollectiveOptions& options,
                       const std::string& expected, F&& program) {
  std::vector<std::string> texts(static_cast<std::size_t>(ranks));
  world.run(stripes(3), options, [&](int rank, CollectiveFile& file) {
    try {
      program(rank, file);
    } catch (const Error& error) {
      texts[static_cast<std::size_t>(rank)] = error.what();
    }
  });
  for (const std::string& text : texts) {
    EXPECT_EQ(text, texts.front());
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  }
}

TEST(CollectiveFile, OneFailsAllFail) {
  constexpr int kRanks = 4;
  const Scenario scenario(kRanks, 11, Scenario::Shape::blocks);
  for (const Method method : {Method::collective, Method::independent, Method::edges})
    for (int failing = 0; failing < kRanks; ++failing) {
      SCOPED_TRACE(testing::Message() << name_of(method) << ", rank " << failing);
      World world(kRanks, 1);
      world.bytes() = Bytes(100);
      bool writes = false;
      world.run(stripes(3), with(method, 1000), [&](int rank, CollectiveFile& file) {
        file.write(scenario.of(rank), scenario.data(rank));
      });
      writes = !world.trace(failing).empty();
      if (!writes) continue;
      world.faults(failing).writes = 0;
      world.faults(failing).faults = {{.call = test::FaultPlan::Call::write, .error = ENOSPC}};
      expect_same_error(world, kRanks, with(method, 1000),
                        "rank " + std::to_string(failing) + ": file: write",
                        [&](int rank, CollectiveFile& file) {
                          file.write(scenario.of(rank), scenario.data(rank));
                        });
      world.faults(failing).reads = 0;
      world.faults(failing).faults = {{.call = test::FaultPlan::Call::read, .error = EIO}};
      expect_same_error(world, kRanks, with(method, 1000),
                        "rank " + std::to_string(failing) + ": file: read",
                        [&](int rank, CollectiveFile& file) {
                          Bytes out(static_cast<std::size_t>(scenario.of(rank).buffer_size()));
                          file.read(scenario.of(rank), out);
                        });
    }
}

TEST(CollectiveFile, ARankThatCannotTakePartFailsAll) {
  constexpr int kRanks = 3;
  const Scenario scenario(kRanks, 11, Scenario::Shape::interleaved);
  World world(kRanks, 1);
  const CollectiveOptions options = with(Method::collective);
  expect_same_error(
      world, kRanks, options, "rank 1: out of luck", [&](int rank, CollectiveFile& file) {
        const auto failure = std::make_exception_ptr(Error(ErrorCode::state, "out of luck"));
        file.write(scenario.of(rank), scenario.data(rank),
                   rank == 1 ? failure : std::exception_ptr());
      });
  expect_same_error(world, kRanks, options, "rank 2: collective transfer: the extents need",
                    [&](int rank, CollectiveFile& file) {
                      ExtentListBuilder builder;
                      builder.add(static_cast<std::uint64_t>(rank), 1);
                      Bytes out(rank == 2 ? 0 : 1);
                      file.read(builder.take(), out);
                    });
  EXPECT_TRUE(world.bytes().empty());
}

}  // namespace
}  // namespace onecast::collective
