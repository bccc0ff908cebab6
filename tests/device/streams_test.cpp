// Transfers wait for one stream of the program, and for no other work of the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "device_array.hpp"
#include "onecast/capi/pending.h"
#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_point_to_point.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kColumns = 100;
/// The larger one has several parts.
constexpr std::array<std::uint64_t, 2> kRows{30, 3000};

std::vector<double> counted(std::size_t count, double first) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::uintptr_t handle(void* stream) { return reinterpret_cast<std::uintptr_t>(stream); }

/// A stream of the program, and another one with work that lasts until the end of the scope.
class TwoStreams {
 public:
  TwoStreams() : other_(fake().stream(true)) { fake().hold(other_); }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
  ~TwoStreams() { release(); }

  [[nodiscard]] std::uintptr_t own() const { return handle(own_); }
  void put(std::span<double> array, const std::vector<double>& values) const {
    fake().put(own_, array.data(), values.data(), array.size_bytes());
  }
  /// Puts work into the stream that is not complete before release().
  void hold() const { fake().hold(own_); }
  void release() const { EXPECT_TRUE(fake().release()) << "a copy waited for other work"; }

 private:
  void* own_ = fake().stream(false);
  void* other_;
};

class DeviceStreams : public testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  [[nodiscard]] static int ranks() { return std::get<0>(GetParam()); }
  [[nodiscard]] static DatasetOptions options() {
    const std::string storage = std::get<1>(GetParam());
    if (storage == "contiguous") return {.layout = Layout::contiguous};
    if (storage == "chunked") return {.chunk = {10, 30}};
    return {.chunk = {10, 50}, .filters = {Filter::deflate(1)}};
  }
  [[nodiscard]] std::string path() const { return folder_ / "x.h5"; }

  /// Calls work(dataset, part, elements of the part) on all ranks, with datasets of both sizes.
  template <class Work>
  void on_ranks(Work&& work) {
    run_with_communicators(ranks(), [&](const Communicator& comm, ThreadRank&) {
      File file = File::create(path(), comm);
      for (const std::uint64_t rows : kRows) {
        SCOPED_TRACE(rows);
        Dataset d = file.root().create_dataset("d" + std::to_string(rows),
                                               {.type = Datatype::of<double>(),
                                                .space = Dataspace({rows, kColumns}),
                                                .options = options()});
        const auto r = static_cast<std::uint64_t>(comm.rank());
        const auto n = static_cast<std::uint64_t>(comm.size());
        const Selection part = d.rows(rows * r / n, rows * (r + 1) / n);
        work(d, part,
             counted((rows * (r + 1) / n - rows * r / n) * kColumns, static_cast<double>(r)));
      }
      file.close();
    });
  }

  TemporaryDirectory folder_;
};

TEST_P(DeviceStreams, AWriteTakesWhatItsStreamHasPutThereBefore) {
  on_ranks([](Dataset& d, const Selection& part, const std::vector<double>& values) {
    for (const bool at_once : {true, false}) {
      const DeviceArray<double> array(values.size());
      d.write_all(array.span(), part);  // the buffers of the transfer are there from now on
      const TwoStreams streams;
      streams.put(array.span(), values);
      const TransferRequest request{.part = part, .stream = streams.own()};
      if (at_once) {
        d.write_all(array.span(), request);
      } else {
        Pending writing = d.write_all_async(array.span(), request);
        streams.hold();
        writing.wait();
      }
      streams.release();
      EXPECT_EQ(d.read_all<double>(part), values);
    }
  });
}

TEST_P(DeviceStreams, AReadComesAfterWhatItsStreamHasPutThereBefore) {
  on_ranks([](Dataset& d, const Selection& part, const std::vector<double>& values) {
    d.write_all(values, part);
    for (const bool at_once : {true, false}) {
      const DeviceArray<double> array(values.size());
      d.read_all(array.span(), part);
      const TwoStreams streams;
      streams.put(array.span(), std::vector<double>(values.size(), -1));
      const TransferRequest request{.part = part, .stream = streams.own()};
      if (at_once) {
        d.read_all(array.span(), request);
      } else {
        Pending reading = d.read_all_async(array.span(), request);
        streams.hold();
        reading.wait();
      }
      streams.release();
      wait_for_stream(array.span().data(), streams.own());
      EXPECT_EQ(array.values(), values);
    }
  });
}

TEST_P(DeviceStreams, EachRequestOfAListHasItsStream) {
  on_ranks([](Dataset& d, const Selection& part, const std::vector<double>& values) {
    const DeviceArray<double> array(values.size());
    d.write_all(array.span(), part);
    const TwoStreams streams;
    streams.put(array.span(), values);
    Pending writing = d.file().write_multi_async(std::vector<WriteRequest>{
        {d, array.span(), TransferRequest{.part = part, .stream = streams.own()}}});
    streams.hold();
    writing.wait();
    streams.release();
    const DeviceArray<double> back(values.size());
    Pending reading = d.file().read_multi_async(std::vector<ReadRequest>{
        {d, back.span(), TransferRequest{.part = part, .stream = streams.own()}}});
    reading.wait();
    EXPECT_EQ(back.values(), values);
  });
}

INSTANTIATE_TEST_SUITE_P(All, DeviceStreams,
                         testing::Combine(testing::Values(1, 3),
                                          testing::Values("contiguous", "chunked", "deflated")));

TEST(DeviceStream, OfMemoryOfTheProcessHasNoEffect) {
  const TemporaryDirectory folder;
  File file = File::create(folder / "x.h5");
  Dataset d = file.root().create_dataset("d", {3}, {1, 2, 3});
  const std::vector<int> values{4, 5, 6};
  d.write_async(values, TransferRequest{.stream = 77}).wait();
  EXPECT_EQ(d.read<int>(), values);
  file.close();
}

TEST(DeviceStream, OfManagedMemoryIsWaitedForBeforeItIsTouched) {
  const TemporaryDirectory folder;
  const std::vector<double> values = counted(3000, 1);
  File file = File::create(folder / "x.h5");
  Dataset d = file.root().create_dataset("d", {3000}, std::vector<double>(3000));
  const std::span<double> array(static_cast<double*>(fake().allocate_managed(3000 * 8)), 3000);
  const TwoStreams streams;
  const TransferRequest request{.stream = streams.own()};
  streams.put(array, values);
  d.write(array, request);
  EXPECT_EQ(d.read<double>(), values);
  streams.put(array, counted(3000, 7));
  Pending writing = d.write_async(array, request);
  streams.hold();  // is not waited for
  writing.wait();
  streams.release();
  EXPECT_EQ(d.read<double>(), counted(3000, 7));
  streams.put(array, values);
  d.read(array, request);
  wait_for_stream(array.data(), streams.own());
  EXPECT_TRUE(std::ranges::equal(array, counted(3000, 7)));
  fake().free(array.data());
  file.close();
}

TEST(DeviceStream, IsAPointerInC) {
  const TemporaryDirectory folder;
  const std::string path = folder / "x.h5";
  const std::vector<double> values = counted(4000, 1);
  {
    File file = File::create(path);
    file.root().create_dataset("d", {4000}, std::vector<double>(4000));
    file.close();
  }
  const DeviceArray<double> array(std::vector<double>(4000));
  const TwoStreams streams;
  streams.put(array.span(), values);
  const std::uintptr_t stream = streams.own();
  onecast_selection part = {};
  part.stream = &stream;
  onecast_file* file = nullptr;
  onecast_object* root = nullptr;
  onecast_object* dataset = nullptr;
  onecast_pending* writing = nullptr;
  ASSERT_EQ(onecast_file_open(path.c_str(), ONECAST_READ_WRITE, nullptr, &file), ONECAST_OK);
  ASSERT_EQ(onecast_file_root(file, &root), ONECAST_OK);
  ASSERT_EQ(onecast_dataset_open(root, "d", &dataset), ONECAST_OK);
  ASSERT_EQ(onecast_dataset_write_async(dataset, &part, nullptr, array.span().data(),
                                        array.span().size_bytes(), &writing),
            ONECAST_OK);
  streams.hold();
  EXPECT_EQ(onecast_pending_wait(&writing), ONECAST_OK);
  streams.release();
  onecast_object_close(&dataset);
  onecast_object_close(&root);
  ASSERT_EQ(onecast_file_close(&file), ONECAST_OK);
  EXPECT_EQ(File::open(path).root().open_dataset("d").read<double>(), values);
}

}  // namespace
}  // namespace onecast::test
