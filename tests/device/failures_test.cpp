// Any call of the driver may fail: all ranks get one error, and what is stored stays.
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/driver.hpp"
#include "device_array.hpp"
#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_point_to_point.hpp"

namespace onecast::test {
namespace {

/// The functions whose failure a transfer reports. The others only make copies slower, or free what
/// a lost driver has lost already.
std::vector<std::string> functions_that_matter() {
  const device::Driver& d = *device::driver();
  return {d.pointer_attribute.name,
          d.push_context.name,
          d.to_device.name,
          d.from_device.name,
          d.copy_rows.name,
          d.wait_for_stream.name,
          d.create_event.name,
          d.record_event.name,
          d.wait_for_event.name,
          d.get_device.name,
          d.retain_primary_context.name};
}

std::vector<std::string> functions_that_do_not() {
  const device::Driver& d = *device::driver();
  return {d.register_host.name, d.unregister_host.name, d.destroy_event.name, d.pop_context.name,
          d.release_primary_context.name};
}

constexpr std::uint64_t kRows = 3000;
constexpr std::uint64_t kColumns = 100;

std::vector<double> values_from(double first, std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class DeviceFailures : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (fake().is_real()) GTEST_SKIP() << "only the fake driver fails";
  }
  ~DeviceFailures() override { fake().failure(nullptr, -1, 0); }

  /// Creates a file with datasets of several kinds, all with the same values.
  void create() {
    File file = File::create(path());
    const auto values = values_from(0, kRows * kColumns);
    const auto add = [&](const char* name, DatasetOptions options) {
      Dataset d = file.root().create_dataset(name, {.type = Datatype::of<double>(),
                                                    .space = Dataspace({kRows, kColumns}),
                                                    .options = std::move(options)});
      d.write(values);
    };
    add("contiguous", {.layout = Layout::contiguous});
    add("chunked", {.chunk = {100, 30}});
    add("deflated", {.chunk = {500, 50}, .filters = {Filter::deflate(1)}});
    add("other", {.layout = Layout::contiguous});
    file.close();
  }
  [[nodiscard]] std::string path() const { return folder_ / "x.h5"; }

  static Selection rows_of(const Dataset& d, const Communicator& comm) {
    const auto r = static_cast<std::uint64_t>(comm.rank());
    const auto n = static_cast<std::uint64_t>(comm.size());
    return Hyperslab{{kRows * r / n, 0}, {kRows * (r + 1) / n - kRows * r / n, d.shape()[1] - 1}};
  }

  /// Lets the first calls of each function fail, one after the other, while all ranks make
  /// `transfer`, until it goes well.
  template <class F>
  void let_fail(
      const std::vector<std::string>& functions, bool all_fail, F&& transfer,
      const std::function<void()>& check = [] {}) {
    for (const std::string& function : functions)
      for (long at = 0; at < 12; ++at) {
        SCOPED_TRACE(function + ", call " + std::to_string(at));
        fake().failure(function.c_str(), at, 719);
        std::mutex mutex;
        std::multiset<std::string> texts;
        run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
          std::string text;
          try {
            transfer(comm);
          } catch (const Error& error) {
            text = error.what();
          }
          const std::scoped_lock lock(mutex);
          texts.insert(text);
        });
        const long calls = fake().calls(function.c_str());
        fake().failure(nullptr, -1, 0);
        check();
        EXPECT_EQ(texts.count(*texts.begin()), texts.size()) << *texts.begin() << *texts.rbegin();
        if (!all_fail) {
          EXPECT_EQ(*texts.begin(), "");
        }
        if (calls <= at) break;  // it was not called so often
        // Two attributes of memory are looked up for more than one reason.
        if (all_fail && function != device::driver()->pointer_attribute.name) {
          EXPECT_NE(texts.begin()->find("the fake driver fails"), std::string::npos)
              << *texts.begin();
        }
      }
  }

  void expect_intact(const std::string& name) {
    const File file = File::open(path());
    EXPECT_EQ(file.root().open_dataset(name).read<double>(), values_from(0, kRows * kColumns))
        << name;
  }

  TemporaryDirectory folder_;
};

TEST_P(DeviceFailures, OfReads) {
  create();
  for (const char* name : {"contiguous", "chunked", "deflated"})
    for (const bool has_context : {true, false})
      for (const bool same : {false, true}) {
        SCOPED_TRACE(name);
        const auto read = [&](const Communicator& comm) {
          File file = File::open(path(), Access::read_only, comm);
          const Dataset d = file.root().open_dataset(name);
          const Selection part =
              same ? Selection(Hyperslab{{0, 0}, {kRows, kColumns - 1}}) : rows_of(d, comm);
          const auto expected = d.read<double>(part);
          // Rank 1 has memory of the process.
          const DeviceArray<double> array(expected.size(), has_context);
          if (comm.rank() == 1) {
            EXPECT_EQ(d.read_all<double>(part), expected);
          } else {
            d.read_all(array.span(), part);
            EXPECT_EQ(array.values(), expected);
          }
        };
        let_fail(functions_that_matter(), true, read);
        let_fail(functions_that_do_not(), false, read);
      }
}

TEST_P(DeviceFailures, OfWrites) {
  create();
  for (const char* name : {"contiguous", "chunked", "deflated"}) {
    SCOPED_TRACE(name);
    const auto write = [&](const Communicator& comm) {
      File file = File::open(path(), Access::read_write, comm);
      Dataset d = file.root().open_dataset(name);
      const Selection part = rows_of(d, comm);
      const auto mine = d.read<double>(part);
      const DeviceArray<double> array(mine);
      std::exception_ptr failure;
      try {
        if (comm.rank() == 1)
          d.write_all(mine, part);
        else
          d.write_all(array.span(), part);
      } catch (const Error&) {
        failure = std::current_exception();
      }
      file.close();
      if (failure) std::rethrow_exception(failure);
    };
    let_fail(functions_that_matter(), true, write);
    let_fail(functions_that_do_not(), false, write);
    expect_intact(name);
    expect_intact("other");
  }
}

TEST_P(DeviceFailures, OfNewChunks) {
  for (const bool filtered : {false, true}) {
    const auto write = [&](const Communicator& comm) {
      File file = File::create(path(), comm);
      Dataset other = file.root().create_dataset("other", {3}, {1, 2, 3});
      file.flush();
      DatasetOptions options{.chunk = {70, 30}};
      if (filtered) options.filters = {Filter::deflate(1)};
      Dataset d = file.root().create_dataset("d", {.type = Datatype::of<float>(),
                                                   .space = Dataspace({kRows, kColumns}),
                                                   .options = options});
      const Selection part = rows_of(d, comm);
      const DeviceArray<double> array(values_from(0, d.read<double>(part).size()));
      std::exception_ptr failure;
      try {
        d.write_all(array.span(), part);
      } catch (const Error&) {
        failure = std::current_exception();
      }
      file.close();
      if (failure) std::rethrow_exception(failure);
    };
    const auto check = [&] {
      EXPECT_EQ(File::open(path()).root().open_dataset("other").read<int>(),
                (std::vector{1, 2, 3}));
    };
    let_fail(functions_that_matter(), true, write, check);
    let_fail(functions_that_do_not(), false, write, check);
  }
}

TEST_P(DeviceFailures, OfCallsWithAStream) {
  create();
  const auto stream = reinterpret_cast<std::uintptr_t>(fake().stream(false));
  const auto transfer = [&](const Communicator& comm) {
    File file = File::open(path(), Access::read_write, comm);
    Dataset d = file.root().open_dataset("contiguous");
    const TransferRequest request{.part = rows_of(d, comm), .stream = stream};
    const DeviceArray<double> array(d.read<double>(request.part));
    std::exception_ptr failure;
    try {
      d.write_all_async(array.span(), request).wait();
      d.read_all_async(array.span(), request).wait();
    } catch (const Error&) {
      failure = std::current_exception();
    }
    file.close();
    if (failure) std::rethrow_exception(failure);
  };
  const device::Driver& driver = *device::driver();
  let_fail({driver.create_stream.name, driver.let_stream_wait.name, driver.record_event.name,
            driver.create_event.name, driver.wait_for_stream.name},
           true, transfer);
  let_fail({driver.destroy_stream.name}, false, transfer);
  expect_intact("contiguous");
  expect_intact("other");
}

TEST_P(DeviceFailures, OfStoredChunks) {
  if (GetParam() != 1) GTEST_SKIP() << "ranks read and write them independently";
  create();
  for (const char* name : {"chunked", "deflated"}) {
    SCOPED_TRACE(name);
    const auto transfer = [&](const Communicator& comm) {
      File file = File::open(path(), Access::read_write, comm);
      Dataset d = file.root().open_dataset(name);
      const DeviceArray<std::byte> room(room_for_stored_chunks(d, d.rows(0, 700)));
      std::exception_ptr failure;
      try {
        const auto chunks = read_stored_chunks(d, d.rows(0, 700), room.span());
        const auto& last = chunks.back();
        write_stored_chunk(d, last.start, room.span().subspan(last.at, last.size));
        const auto one = read_stored_chunk(d, last.start, room.span());
        EXPECT_EQ(one.size, last.size);
      } catch (const Error&) {
        failure = std::current_exception();
      }
      file.close();
      if (failure) std::rethrow_exception(failure);
    };
    let_fail(functions_that_matter(), true, transfer);
    let_fail(functions_that_do_not(), false, transfer);
    expect_intact(name);
    expect_intact("other");
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, DeviceFailures, testing::Values(1, 3));

}  // namespace
}  // namespace onecast::test
