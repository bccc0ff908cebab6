#include "collective/collective_file.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "onecast/base/error.hpp"
#include "onecast/comm/mpi.hpp"
#include "parallel_test.hpp"
#include "support/collective_scenario.hpp"
#include "support/fault_transport.hpp"
#include "transport/factory.hpp"

namespace onecast {

using namespace collective;

namespace {

using test::ParallelTest;
using test::Scenario;
using Bytes = std::vector<std::byte>;

StripeLayout stripes(std::uint32_t count, std::uint64_t size = 64) {
  return {size, count, StripeLayout::Source::pretended};
}

CollectiveOptions with(Method method, std::uint64_t buffer = 16 << 20U) {
  CollectiveOptions options;
  options.method = method;
  options.collective_buffer = buffer;
  return options;
}

class CollectiveFileTest : public ParallelTest {
 protected:
  [[nodiscard]] CommunicatorBackend& comm() const { return backend_of(world_); }

  /// Creates a file of these bytes, which all ranks may open.
  std::string make_file(const std::string& name, const Bytes& bytes) const {
    if (rank() == 0)
      std::ofstream(path(name), std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    barrier();
    return path(name);
  }
  [[nodiscard]] Bytes bytes_of(const std::string& file) const {
    const std::string text = contents(file);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
};

TEST_F(CollectiveFileTest, DoesWhatOneProcessWould) {
  unsigned seed = 0;
  for (const std::uint32_t targets : {1U, 3U, 4U, 5U})
    for (const auto shape : test::kShapes)
      for (const Method method : {Method::collective, Method::automatic})
        for (const std::uint64_t buffer : {16U << 20U, 700U}) {
          ++seed;
          // Direct writes have no order.
          if (shape == Scenario::Shape::overlapping && method == Method::automatic) continue;
          const Scenario scenario(size(), seed, shape);
          const Bytes before = test::pattern(400, 3);
          const std::string name = make_file("f" + std::to_string(seed), before);
          const auto transport = posix_factory()(name, OpenMode::read_write);
          CollectiveFile file(comm(), *transport, stripes(targets), with(method, buffer));
          file.write(scenario.of(rank()), scenario.data(rank()));
          Bytes after = bytes_of(name);
          const Bytes expected = scenario.written(before);
          after.resize(expected.size());
          ASSERT_EQ(after, expected) << "seed " << seed;

          const Scenario other(size(), seed + 500, shape);
          Bytes out(static_cast<std::size_t>(other.of(rank()).buffer_size()), std::byte{0xAA});
          file.read(other.of(rank()), out);
          ASSERT_EQ(out, other.read(rank(), after)) << "seed " << seed;
          EXPECT_LE(file.stats().buffer_peak, buffer);
        }
}

TEST_F(CollectiveFileTest, RanksOfANodeSendTogether) {
  setenv("ONECAST_RANKS_PER_NODE", "2", 1);
  {
    const Communicator pretended = mpi_communicator(MPI_COMM_WORLD);
    unsigned seed = 900;
    for (const auto shape : test::kShapes)
      for (const std::uint64_t buffer : {16U << 20U, 700U}) {
        const Scenario scenario(size(), ++seed, shape);
        const std::string name = make_file("f" + std::to_string(seed), {});
        const auto transport = posix_factory()(name, OpenMode::read_write);
        CollectiveOptions options = with(Method::collective, buffer);
        options.relay_from = 1;
        CollectiveFile file(backend_of(pretended), *transport, stripes(3), options);
        for (int turn = 0; turn < 2; ++turn) file.write(scenario.of(rank()), scenario.data(rank()));
        EXPECT_EQ(bytes_of(name), scenario.written({})) << "seed " << seed;
        EXPECT_LE(file.stats().buffer_peak, buffer);
        barrier();
      }
  }
  unsetenv("ONECAST_RANKS_PER_NODE");
}

TEST_F(CollectiveFileTest, AgreementsAreFew) {
  const std::string name = make_file("file", {});
  const auto transport = posix_factory()(name, OpenMode::read_write);
  CollectiveFile file(comm(), *transport, stripes(3), with(Method::collective));
  const Scenario scenario(size(), 2, Scenario::Shape::interleaved);
  const Bytes data = scenario.data(rank());
  comm().nodes();
  std::uint64_t before = comm().collectives();
  file.write(scenario.of(rank()), data);
  EXPECT_EQ(comm().collectives() - before, 4U)
      << "summary, sizes of the descriptions, window and memory, errors";
  before = comm().collectives();
  file.write(scenario.of(rank()), data);
  EXPECT_EQ(comm().collectives() - before, 2U) << "summary, errors: the plan is kept";
  const ExchangePlan plan = file.plan(TransferDirection::writing, scenario.of(rank()));
  before = comm().collectives();
  file.write(plan, data);
  EXPECT_EQ(comm().collectives() - before, 2U) << "memory, errors";
}

TEST_F(CollectiveFileTest, MemoryStaysWithinItsBudget) {
  constexpr std::uint64_t kBlock = 4096;
  constexpr std::uint64_t kBlocks = 2048;
  constexpr std::uint64_t kBudget = 4 << 20U;
  const std::string name = make_file("file", {});
  const auto transport = posix_factory()(name, OpenMode::read_write);
  CollectiveFile file(comm(), *transport, stripes(4, 256 << 10U),
                      with(Method::collective, kBudget));
  ExtentListBuilder builder;
  const auto ranks = static_cast<std::uint64_t>(size());
  for (std::uint64_t i = 0; i < kBlocks; ++i)
    builder.add((i * ranks + static_cast<std::uint64_t>(rank())) * kBlock, kBlock);
  const ExtentList list = builder.take();
  const Bytes data = test::pattern(kBlock * kBlocks, static_cast<std::size_t>(rank()));
  file.write(list, data);
  Bytes out(data.size());
  file.read(list, out);
  EXPECT_TRUE(out == data);
  EXPECT_LE(file.stats().buffer_peak, kBudget);
}

TEST_F(CollectiveFileTest, OneFailsAllFail) {
  const Scenario scenario(size(), 7, Scenario::Shape::interleaved);
  for (int failing = 0; failing < size(); ++failing) {
    const std::string name = make_file("file" + std::to_string(failing), {});
    const auto plan = std::make_shared<test::FaultPlan>();
    if (rank() == failing)
      plan->faults = {{.call = test::FaultPlan::Call::write, .first = 2, .error = ENOSPC}};
    const auto transport = test::fault_factory(posix_factory(), plan)(name, OpenMode::read_write);
    CollectiveFile file(comm(), *transport, stripes(3), with(Method::collective, 400));
    std::string text = "nothing";
    try {
      file.write(scenario.of(rank()), scenario.data(rank()));
    } catch (const Error& error) {
      text = error.what();
      EXPECT_EQ(error.system_errno(), ENOSPC);
    }
    for (const std::string& other : everyones(text)) EXPECT_EQ(other, text);
    const auto writes = everyones(plan->writes)[static_cast<std::size_t>(failing)];
    EXPECT_EQ(text != "nothing", writes >= 2) << text;
    file.write(ExtentList(), {});  // all ranks are still in step
  }
}

TEST_F(CollectiveFileTest, NodesCanBePretended) {
  setenv("ONECAST_RANKS_PER_NODE", "2", 1);
  {
    const Communicator pretended = mpi_communicator(MPI_COMM_WORLD);
    const std::vector<int>& nodes = backend_of(pretended).nodes();
    ASSERT_EQ(nodes.size(), static_cast<std::size_t>(size()));
    for (int r = 0; r < size(); ++r) EXPECT_EQ(nodes[static_cast<std::size_t>(r)], r / 2);
    const std::uint64_t before = backend_of(pretended).collectives();
    backend_of(pretended).nodes();
    EXPECT_EQ(backend_of(pretended).collectives(), before) << "known by now";
  }
  unsetenv("ONECAST_RANKS_PER_NODE");
  EXPECT_EQ(comm().nodes(), std::vector<int>(static_cast<std::size_t>(size()), 0));
}

TEST_F(CollectiveFileTest, RanksCombineInTheirOrder) {
  std::uint64_t digits = static_cast<std::uint64_t>(rank()) + 1;
  const std::uint64_t before = comm().collectives();
  comm().all_combine(std::as_writable_bytes(std::span(&digits, 1)),
                     [](const std::byte* lower, std::byte* higher) {
                       std::uint64_t a = 0;
                       std::uint64_t b = 0;
                       std::memcpy(&a, lower, sizeof a);
                       std::memcpy(&b, higher, sizeof b);
                       std::uint64_t shift = 10;
                       while (shift <= b) shift *= 10;
                       b += a * shift;
                       std::memcpy(higher, &b, sizeof b);
                     });
  EXPECT_EQ(comm().collectives(), before + 1);
  std::uint64_t expected = 0;
  for (int r = 0; r < size(); ++r) expected = expected * 10 + static_cast<std::uint64_t>(r) + 1;
  EXPECT_EQ(digits, expected);
}

TEST_F(CollectiveFileTest, MessagesArriveInOrderAndAreCounted) {
  const MessageCounts before = comm().sent();
  const auto batch = comm().messages();
  const int next = (rank() + 1) % size();
  const int previous = (rank() + size() - 1) % size();
  const Bytes one = test::pattern(1000, static_cast<std::size_t>(rank()));
  const Bytes two = test::pattern(10, static_cast<std::size_t>(rank()));
  Bytes first(1000);
  Bytes second(10);
  if (size() > 1) {
    batch->receive(previous, first);
    batch->receive(previous, second);
    batch->send(next, one);
    batch->send(next, two);
    batch->wait();
    EXPECT_EQ(first, test::pattern(1000, static_cast<std::size_t>(previous)));
    EXPECT_EQ(second, test::pattern(10, static_cast<std::size_t>(previous)));
    EXPECT_EQ(comm().sent().messages - before.messages, 2U);
    EXPECT_EQ(comm().sent().bytes - before.bytes, 1010U);
  }
  batch->wait();  // there is nothing to do
}

}  // namespace
}  // namespace onecast
