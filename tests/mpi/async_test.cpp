// Calls that are begun and waited for later, on several ranks. objects/pending_test.cpp has the
// tests that need only one rank.
#include <array>
#include <thread>

#include "faults.hpp"
#include "parallel_test.hpp"
#include "support/gate_transport.hpp"
#include "support/thrown_by.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kElements = 70'000;
const FileOptions kOptions{.page_size = 4096};

class AsyncTest : public ParallelTest {
 protected:
  void SetUp() override {
    if (!backend_of(world_).allows_threads()) GTEST_SKIP() << "MPI is not for several threads";
  }

  [[nodiscard]] Hyperslab mine() const { return my_share(kElements); }
  /// Returns the values of this rank's part.
  [[nodiscard]] std::vector<std::int32_t> values(std::int32_t offset = 0) const {
    return count_up(mine(), offset);
  }
  static std::span<const std::byte> bytes(const std::vector<std::int32_t>& of) {
    return std::as_bytes(std::span(of));
  }
  static std::span<std::byte> room(std::vector<std::int32_t>& of) {
    return std::as_writable_bytes(std::span(of));
  }
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
};

TEST_F(AsyncTest, ComputesMeanwhile) {
  File file = create(path(), kOptions, gate_factory(posix_factory(), gate_));
  Dataset x = create_int32(file.root(), "x", kElements);
  Dataset y = create_int32(file.root(), "y", kElements);
  file.flush();
  gate_->close();
  const auto first = values();
  const auto second = values(5);
  const std::uint64_t came = gate_->came();
  Pending of_x = x.write_all_async(bytes(first), mine());
  Pending of_y = y.write_all_async(bytes(second), mine());
  gate_->await(came + 1);
  // The program computes here. Nothing is written before that ends.
  EXPECT_FALSE(of_x.is_done());
  EXPECT_FALSE(of_y.is_done());
  EXPECT_EQ(y.shape(), Shape{kElements}) << "known without waiting";
  EXPECT_EQ(y.datatype(), Datatype::of<std::int32_t>());
  EXPECT_TRUE(file.is_open());
  EXPECT_EQ(file.path(), path());
  gate_->open();
  of_y.wait();
  EXPECT_TRUE(of_x.is_done()) << "it came first";
  of_x.wait();
  of_x.wait();
  EXPECT_EQ(x.read<std::int32_t>().size(), kElements);
  file.close();
  EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(), count_up(kElements));
  EXPECT_EQ(File::open(path()).root().open_dataset("y").read<std::int32_t>(),
            count_up(kElements, 5));
}

TEST_F(AsyncTest, EveryOtherCallWaits) {
  File file = create(path(), kOptions, gate_factory(posix_factory(), gate_));
  Dataset x = create_int32(file.root(), "x", kElements);
  x.set_attribute("a", 1);
  file.flush();
  const auto written = values();
  const auto calls = std::to_array<std::function<void()>>({
      [&] { static_cast<void>(x.read_all<std::int32_t>()); },
      [&] { x.write_all(written, mine()); },
      [&] { static_cast<void>(x.attribute("a").bytes()); },
      [&] { static_cast<void>(x.path()); },
      [&] { file.root().create_group("group").set_attribute("b", 2); },
      [&] { static_cast<void>(file.io_stats()); },
      [&] { static_cast<void>(file.explain()); },
      [&] { const auto alone = file.independent(); },
      [&] { file.flush(); },
      [&] { file.close(); },
  });
  for (const auto& call : calls) {
    gate_->close();
    const std::uint64_t came = gate_->came();
    Pending pending = x.write_all_async(bytes(written), mine());
    std::thread opens([&] {
      gate_->await(came + 1);
      gate_->open();
    });
    call();
    EXPECT_TRUE(pending.is_done());
    opens.join();
    pending.wait();
  }
}

TEST_F(AsyncTest, SeveralInTheirOrder) {
  File file = File::create(path(), world_, kOptions);
  Dataset x = create_int32(file.root(), "x", kElements);
  Dataset chunks = file.root().create_dataset(
      "chunks", {.type = Datatype::of<std::int32_t>(),
                 .space = Dataspace({kElements}),
                 .options = {.chunk = {1000}, .filters = {Filter::shuffle(), Filter::deflate(1)}}});
  Dataset compact = create_int32(file.root(), "compact", 70);
  const Datatype text = Datatype::variable_string();
  Dataset texts = file.root().create_dataset("texts", {text, Dataspace({70})});
  for (std::int32_t step = 1; step < 4; ++step) {
    const auto one = values(step);
    const auto two = values(-step);
    std::vector<std::int32_t> between(one.size());
    std::vector<std::int32_t> all(kElements);
    const Hyperslab few = my_share(70);
    const auto few_values = count_up(few, step);
    NewValues made;
    const auto elements =
        made.strings(text, std::vector<std::string>(few.count[0], "step " + std::to_string(step)));
    std::array pending{
        x.write_all_async(bytes(one), mine()),
        x.read_all_async(room(between), mine()),
        chunks.write_all_async(bytes(two), mine()),
        compact.write_all_async(bytes(few_values), few),
        texts.write_all_async(elements, {.part = few, .values = &made}),
        x.write_async(bytes(two), mine()),
        file.flush_async(),
        chunks.read_all_async(room(all), {.sharing = Sharing::verify}),
    };
    for (Pending& p : pending) p.wait();
    EXPECT_EQ(between, one);
    EXPECT_EQ(all, count_up(kElements, -step));
    EXPECT_EQ(texts.read<std::string>(),
              std::vector<std::string>(70, "step " + std::to_string(step)));
    // Attributes change between two steps.
    x.set_attribute("step", step);
    file.root().create_group("after " + std::to_string(step));
  }
  file.close();
  const File read = File::open(path());
  EXPECT_EQ(read.root().open_dataset("x").read<std::int32_t>(), count_up(kElements, -3));
  EXPECT_EQ(read.root().open_dataset("chunks").read<std::int32_t>(), count_up(kElements, -3));
  EXPECT_EQ(read.root().open_dataset("compact").read<std::int32_t>(), count_up(70, 3));
}

TEST_F(AsyncTest, TheBytesAreThoseOfCallsThatWait) {
  const auto write = [&](const std::string& name, bool later) {
    File file = File::create(path(name), world_, kOptions);
    Dataset x = create_int32(file.root(), "x", kElements);
    Dataset y = file.root().create_dataset("y", {.type = Datatype::of<std::int32_t>(),
                                                 .space = Dataspace({kElements}),
                                                 .options = {.chunk = {3000}}});
    const auto some = values(7);
    std::vector<Pending> pending;
    for (Dataset* d : {&x, &y}) {
      if (later)
        pending.push_back(d->write_all_async(bytes(some), mine()));
      else
        d->write_all(some, mine());
    }
    if (later) pending.push_back(file.flush_async());
    for (Pending& p : pending) p.wait();
    if (!later) file.flush();
    file.root().set_attribute("done", 1);
    file.close();
  };
  write("now.h5", false);
  write("later.h5", true);
  EXPECT_EQ(contents(path("now.h5")), contents(path("later.h5")));
}

TEST_F(AsyncTest, AnErrorOfOneRankIsThrownByTheWaitsOfAll) {
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = create(path(), kOptions, faults.factory());
    Dataset x = create_int32(file.root(), "x", kElements);
    file.flush();
    const auto some = values();
    faults.fail(Call::write);
    Pending fails = x.write_all_async(bytes(some), mine());
    Pending goes_well = x.write_all_async(bytes(some), mine());
    goes_well.wait();
    const Error error = same_error([&] { fails.wait(); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(same_error([&] { fails.wait(); }).what(), std::string(error.what())) << "each time";
    // Arguments are checked later, too.
    const Hyperslab wrong{{kElements}, {1}};
    Pending refused = x.write_all_async(bytes(some), rank() == failing ? wrong : mine());
    EXPECT_EQ(same_error([&] { refused.wait(); }).code(), ErrorCode::invalid_argument);
    Pending given_up =
        rank() == failing
            ? x.write_all_async(
                  std::span<const std::byte>(),
                  {.failure = std::make_exception_ptr(Error(ErrorCode::state, "no data"))})
            : x.write_all_async(bytes(some), mine());
    EXPECT_NE(std::string(same_error([&] { given_up.wait(); }).what()).find("no data"),
              std::string::npos);
    file.close();
    EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(),
              count_up(kElements));
    barrier();
  }
}

TEST_F(AsyncTest, WhatNobodyWaitsForTheNextFlushTells) {
  const Faults faults = faults_on(last(), world_);
  File file = create(path(), kOptions, faults.factory());
  Dataset x = create_int32(file.root(), "x", kElements);
  file.flush();
  const auto some = values();
  faults.fail(Call::write);
  {
    const Pending dropped = x.write_async(bytes(some), mine());
  }
  file.root().set_attribute("before", 1);
  EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::io);
  EXPECT_EQ(File::open(FlushedCopy(path()).path()).root().attribute("before").read<int>(),
            std::vector<int>{1})
      << "all else is in the file";
  file.flush();
  // One rank drops its handle of a collective call.
  faults.fail(Call::write);
  Pending kept = x.write_all_async(bytes(some), mine());
  if (rank() == 0) kept = Pending();
  EXPECT_EQ(same_error([&] { file.flush(); }).code(), ErrorCode::io);
  if (rank() != 0) {
    EXPECT_EQ(thrown_by([&] { kept.wait(); }).code(), ErrorCode::io);
  }
  file.close();
}

TEST_F(AsyncTest, ClosingWaits) {
  const Faults faults = faults_on(0, world_);
  File file = create(path(), kOptions, faults.factory());
  Dataset x = create_int32(file.root(), "x", kElements);
  Dataset y = create_int32(file.root(), "y", kElements);
  file.flush();
  const auto some = values();
  Pending well = x.write_all_async(bytes(some), mine());
  EXPECT_EQ(x.read_all<std::int32_t>(), count_up(kElements));
  faults.fail(Call::write);
  Pending fails = y.write_all_async(bytes(some), mine());
  EXPECT_EQ(same_error([&] { file.close(); }).code(), ErrorCode::io) << "nobody waited for it";
  EXPECT_FALSE(file.is_open());
  EXPECT_EQ(same_error([&] { fails.wait(); }).code(), ErrorCode::io) << "still";
  well.wait();
  Pending closed = x.write_all_async(bytes(some), mine());
  EXPECT_EQ(same_error([&] { closed.wait(); }).code(), ErrorCode::state);
  EXPECT_EQ(File::open(path()).root().open_dataset("x").read<std::int32_t>(), count_up(kElements));
}

TEST_F(AsyncTest, FilesOfOneCommunicator) {
  File a = File::create(path("a.h5"), world_, kOptions);
  Dataset x = create_int32(a.root(), "x", kElements);
  File b = File::create(path("b.h5"), world_, kOptions);
  Dataset y = create_int32(b.root(), "y", kElements);
  const auto some = values();
  Pending of_a = x.write_all_async(bytes(some), mine());
  y.write_all(some, mine());
  Pending of_b = y.write_all_async(bytes(some), mine());
  a.flush();
  of_b.wait();
  of_a.wait();
  const std::optional<Communicator> part = first_ranks(1);
  Pending more = x.write_all_async(bytes(some), mine());
  File c = File::create(path("c.h5"), world_, kOptions);
  if (part) {
    File d = File::create(path("d.h5"), *part, kOptions);
    const auto ten = count_up(10);
    Pending of_d = create_int32(d.root(), "z", 10).write_all_async(bytes(ten));
    of_d.wait();
    d.close();
  }
  c.close();
  more.wait();
  a.close();
  b.close();
}

TEST_F(AsyncTest, ReadsThatOverlap) {
  File made = File::create(path(), world_, kOptions);
  made.root().create_dataset("x", {kElements}, count_up(kElements));
  made.close();
  File file = open(path(), Access::read_only, {.small_data_limit = 0},
                   gate_factory(posix_factory(), gate_));
  const Dataset x = file.root().open_dataset("x");
  std::vector<std::int32_t> part(values().size());
  std::vector<std::int32_t> all(kElements);
  gate_->close();
  Pending first = x.read_all_async(room(part), mine());
  Pending second = x.read_all_async(room(all));
  EXPECT_FALSE(first.is_done());
  gate_->open();
  second.wait();
  first.wait();
  EXPECT_EQ(part, values());
  EXPECT_EQ(all, count_up(kElements));
  // Only the handle of the call is left of the file.
  Pending third = [&] {
    const File other = File::open(path(), Access::read_only, world_, {.small_data_limit = 0});
    return other.root().open_dataset("x").read_all_async(room(part), mine());
  }();
  third.wait();
  file.close();
}

}  // namespace
}  // namespace onecast::test
