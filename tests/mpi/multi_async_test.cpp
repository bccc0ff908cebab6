// Lists of datasets whose transfer is begun, and waited for later
#include <deque>

#include "faults.hpp"
#include "onecast/objects/variable_values.hpp"
#include "parallel_test.hpp"
#include "support/gate_transport.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kPerSet = 7'000;
constexpr std::size_t kSets = 4;
const FileOptions kSmallPages{.page_size = 4096};

class MultiAsyncTest : public ParallelTest {
 protected:
  using Values = std::vector<std::int32_t>;

  /// Creates contiguous, chunked and filtered datasets.
  static std::vector<Dataset> create_sets(const File& file) {
    std::vector<Dataset> sets;
    for (std::size_t i = 0; i < kSets; ++i) {
      DatasetOptions options{.layout = Layout::contiguous};
      if (i == 2) options = {.chunk = {600}};
      if (i == 3) options = {.chunk = {600}, .filters = {Filter::shuffle()}};
      sets.push_back(
          file.root().create_dataset(std::to_string(i), {.type = Datatype::of<std::int32_t>(),
                                                         .space = Dataspace({kPerSet}),
                                                         .options = options}));
    }
    return sets;
  }
  [[nodiscard]] Hyperslab mine() const { return my_share(kPerSet); }
  [[nodiscard]] std::vector<WriteRequest> writes(const std::vector<Dataset>& sets,
                                                 const Values& values) const {
    std::vector<WriteRequest> list;
    for (const Dataset& x : sets) list.push_back({x, std::as_bytes(std::span(values)), mine()});
    return list;
  }
  static std::vector<ReadRequest> reads(const std::vector<Dataset>& sets, const Selection& part,
                                        std::deque<Values>& to, std::uint64_t count) {
    std::vector<ReadRequest> list;
    for (const Dataset& x : sets)
      list.push_back({x, std::as_writable_bytes(std::span(to.emplace_back(count))), part});
    return list;
  }
  static void expect_all(const std::string& file, const Values& values) {
    const File read = File::open(file);
    for (std::size_t i = 0; i < kSets; ++i)
      EXPECT_EQ(read.root().open_dataset(std::to_string(i)).read<std::int32_t>(), values) << i;
  }
};

TEST_F(MultiAsyncTest, TheCallerGoesOnWithoutItsList) {
  if (!backend_of(world_).allows_threads()) GTEST_SKIP() << "MPI is not for several threads";
  const auto gate = std::make_shared<Gate>();
  File file = create(path(), kSmallPages, gate_factory(posix_factory(), gate));
  const std::vector<Dataset> sets = create_sets(file);
  const Datatype text = Datatype::variable_string();
  const Dataset texts = file.root().create_dataset("texts", {text, Dataspace({70})});
  file.flush();
  const Values values = count_up(mine(), 3);
  const Hyperslab few = my_share(70);
  std::vector<std::byte> elements;
  std::deque<Values> found;
  gate->close();
  const std::uint64_t came = gate->came();
  Pending writing = [&] {
    NewValues made;
    elements = made.strings(text, std::vector<std::string>(few.count[0], "a text"));
    std::vector<WriteRequest> list = writes(sets, values);
    list.push_back({texts, elements, {.part = few, .values = &made}});
    return file.write_multi_async(list);
  }();
  Pending reading = file.read_multi_async(reads(sets, {}, found, kPerSet));
  gate->await(came + 1);
  EXPECT_FALSE(writing.is_done());
  EXPECT_FALSE(reading.is_done());
  EXPECT_EQ(sets[0].shape(), Shape{kPerSet}) << "known without waiting";
  gate->open();
  reading.wait();
  EXPECT_TRUE(writing.is_done()) << "it came first";
  writing.wait();
  for (const Values& v : found) EXPECT_EQ(v, count_up(kPerSet, 3));
  EXPECT_EQ(texts.read<std::string>(), std::vector<std::string>(70, "a text"));
  file.close();
  expect_all(path(), count_up(kPerSet, 3));
}

TEST_F(MultiAsyncTest, TheBytesAreThoseOfCallsThatWait) {
  const auto write = [&](const std::string& name, bool later) {
    File file = File::create(path(name), world_, kSmallPages);
    const std::vector<Dataset> sets = create_sets(file);
    for (std::int32_t step = 0; step < 3; ++step) {
      const Values values = count_up(mine(), step);
      const std::vector<WriteRequest> list = writes(sets, values);
      if (later) {
        Pending written = file.write_multi_async(list);
        Pending flushed = file.flush_async();
        flushed.wait();
        written.wait();
      } else {
        file.write_multi(list);
        file.flush();
      }
    }
    file.close();
  };
  write("now.h5", false);
  write("later.h5", true);
  EXPECT_TRUE(contents(path("now.h5")) == contents(path("later.h5")));
  expect_all(path("later.h5"), count_up(kPerSet, 2));
}

TEST_F(MultiAsyncTest, NoHandleIsLeftButThatOfTheCall) {
  File made = File::create(path(), world_, kSmallPages);
  const Values values = count_up(mine());
  made.write_multi(writes(create_sets(made), values));
  made.close();
  std::deque<Values> found;
  Pending reading = [&] {
    const File file = File::open(path(), Access::read_only, world_, {.small_data_limit = 0});
    std::vector<Dataset> sets;
    for (std::size_t i = 0; i < kSets; ++i)
      sets.push_back(file.root().open_dataset(std::to_string(i)));
    return file.read_multi_async(reads(sets, mine(), found, mine().count[0]));
  }();
  reading.wait();
  for (const Values& v : found) EXPECT_EQ(v, values);
}

TEST_F(MultiAsyncTest, AnErrorOfOneRankIsThrownByTheWaitsOfAll) {
  for (int failing = 0; failing < size(); ++failing) {
    const Faults faults = faults_on(failing, world_);
    File file = create(path(), kSmallPages, faults.factory());
    const std::vector<Dataset> sets = create_sets(file);
    file.flush();
    const Values values = count_up(mine());
    std::deque<Values> found;
    const auto expect_error = [&](Pending pending, ErrorCode code, const char* part) {
      for (int time = 0; time < 2; ++time) {
        const Error error = same_error([&] { pending.wait(); });
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      }
    };
    faults.fail(Call::write);
    Pending fails = file.write_multi_async(writes(sets, values));
    Pending goes_well = file.write_multi_async(writes(sets, values));
    goes_well.wait();
    expect_error(std::move(fails), ErrorCode::io, "");

    const bool wrong = rank() == failing;
    std::vector<WriteRequest> list = writes(sets, values);
    if (wrong) list[1].bytes = list[1].bytes.first(list[1].bytes.size() - 1);
    expect_error(file.write_multi_async(list), ErrorCode::invalid_argument, "bytes given");
    std::vector<ReadRequest> read = reads(sets, mine(), found, values.size());
    if (wrong) read[2].how.part = Hyperslab{{kPerSet}, {values.size()}};
    expect_error(file.read_multi_async(read), ErrorCode::invalid_argument, "");

    const auto why = std::make_exception_ptr(Error(ErrorCode::state, "no list"));
    expect_error(
        wrong ? file.write_multi_async({}, why) : file.write_multi_async(writes(sets, values)),
        ErrorCode::state, "no list");
    expect_error(wrong ? file.read_multi_async({}, why)
                       : file.read_multi_async(reads(sets, mine(), found, values.size())),
                 ErrorCode::state, "no list");
    if (size() > 1) {
      list = writes(sets, values);
      if (wrong) list.pop_back();
      expect_error(file.write_multi_async(list), ErrorCode::diverged, "different collective calls");
    }
    file.close();
    expect_all(path(), count_up(kPerSet));
    barrier();
  }
}

}  // namespace
}  // namespace onecast::test
