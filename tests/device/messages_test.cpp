// In collective writes, messages are sent from memory of a device, if the option wants it and the
// messages of the ranks can be.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "comm/communicator_access.hpp"
#include "device/driver.hpp"
#include "device/place.hpp"
#include "device_array.hpp"
#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_ranks.hpp"

namespace onecast::test {
namespace {

constexpr std::uint64_t kRows = 3000;
constexpr std::uint64_t kColumns = 180;
constexpr const char* kSent = "memory of a device: by messages that are sent from it";

std::vector<double> values_from(double first, std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// How the part of a rank lies in the file.
enum class Parts { rows, columns };

class MessagesFromDevice : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (fake().is_real()) GTEST_SKIP() << "real memory needs an MPI that takes it";
    if (GetParam() == 1) {
      if (!is_fake_cuda()) GTEST_SKIP() << "one rank writes by cuFile";
      setenv("ONECAST_CUFILE", ONECAST_FAKE_CUFILE, 1);
    }
    create();
  }
  ~MessagesFromDevice() override {
    unsetenv("ONECAST_CUFILE");
    fake().failure(nullptr, -1, 0);
  }

  [[nodiscard]] std::string path() const { return folder_ / "x.h5"; }

  void create() const {
    File file = File::create(path());
    for (const char* name : {"d", "other"})
      file.root()
          .create_dataset(name, {.type = Datatype::of<double>(),
                                 .space = Dataspace({kRows, kColumns}),
                                 .options = {.layout = Layout::contiguous}})
          .write(values_from(0, kRows * kColumns));
    file.close();
  }

  /// Runs `program` on all ranks; `aware`: messages can be sent from memory of the device.
  void run(bool aware, const std::function<void(const Communicator&)>& program) {
    sent_ = 0;
    ThreadWorld::CopyFromDevice copy;
    if (aware)
      copy = [&](std::span<std::byte> target, std::span<const std::byte> source) {
        if (!device::place_of(source.data()))
          return void(std::memcpy(target.data(), source.data(), target.size()));
        sent_ += source.size();
        fake().load(target.data(), source.data(), source.size());
      };
    run_ranks(
        GetParam(), 1,
        [&](CommunicatorBackend& ranks) {
          program(comm::CommunicatorAccess::make({&ranks, [](CommunicatorBackend*) {}}));
        },
        copy);
  }

  /// Writes new values on all ranks, from memory of the device or of the process; returns what the
  /// highest rank explains.
  std::string write(DeviceIo way, bool aware, Parts parts, bool of_device = true) {
    std::string said;
    run(aware, [&](const Communicator& comm) {
      FileOptions options;
      options.device_io = way;
      options.method = TransferMethod::collective;
      options.collective_buffer = 65536;
      File file = File::open(path(), Access::read_write, comm, options);
      Dataset d = file.root().open_dataset("d");
      write_part(d, comm, parts, of_device);
      if (comm.rank() == comm.size() - 1) said = file.explain();
      file.close();
    });
    return said;
  }

  static void write_part(Dataset& d, const Communicator& comm, Parts parts, bool of_device) {
    const auto r = static_cast<std::uint64_t>(comm.rank());
    const auto n = static_cast<std::uint64_t>(comm.size());
    const Selection part = parts == Parts::rows
                               ? d.rows(kRows * r / n, kRows * (r + 1) / n)
                               : Selection(Hyperslab{{0, kColumns * r / n}, {kRows, kColumns / n}});
    const auto values = values_from(1e6 * static_cast<double>(r + 1), kRows * kColumns / n);
    if (!of_device) return d.write_all(values, part);
    const DeviceArray<double> array{std::span<const double>(values)};
    d.write_all(array.span(), part);
  }

  TemporaryDirectory folder_;
  std::atomic<std::size_t> sent_ = 0;  ///< bytes of messages from memory of the device
};

TEST_P(MessagesFromDevice, BringWhatThoseFromTheProcessBring) {
  for (const Parts parts : {Parts::rows, Parts::columns}) {
    write(DeviceIo::staged, false, parts, false);
    const std::string expected = contents(path());
    for (const DeviceIo way : {DeviceIo::direct, DeviceIo::staged})
      for (const bool aware : {true, false}) {
        create();
        const std::string said = write(way, aware, parts);
        EXPECT_EQ(contents(path()), expected);
        if (GetParam() == 1) continue;
        const bool takes = aware && way == DeviceIo::direct;
        EXPECT_EQ(said.find(kSent) != std::string::npos, takes) << said;
        // Rows lie in one piece for the rank that writes them; columns must be packed.
        if (parts == Parts::rows || !takes) {
          EXPECT_EQ(sent_ != 0, takes);
        } else {
          EXPECT_NE(said.find("other parts staged"), std::string::npos) << said;
        }
      }
  }
}

TEST_P(MessagesFromDevice, WaitForTheStream) {
  if (GetParam() == 1) return;
  run(true, [&](const Communicator& comm) {
    FileOptions options;
    options.device_io = DeviceIo::direct;
    options.method = TransferMethod::collective;
    File file = File::open(path(), Access::read_write, comm, options);
    Dataset d = file.root().open_dataset("d");
    const auto n = static_cast<std::uint64_t>(comm.size());
    const auto r = static_cast<std::uint64_t>(comm.rank());
    const auto values = values_from(7, kRows / n * kColumns);
    const DeviceArray<double> array(values.size());
    void* stream = fake().stream(false);
    fake().put(stream, array.span().data(), values.data(), values.size() * sizeof(double));
    d.write_all(std::span<const double>(array.span()),
                {.part = d.rows(kRows / n * r, kRows / n * (r + 1)),
                 .stream = reinterpret_cast<std::uintptr_t>(stream)});
    EXPECT_EQ(d.read<double>(d.rows(kRows / n * r, kRows / n * (r + 1))), values);
    file.close();
  });
}

TEST_P(MessagesFromDevice, FailOnAllRanks) {
  if (GetParam() == 1) return;
  const device::Driver& driver = *device::driver();
  for (const Parts parts : {Parts::rows, Parts::columns})
    for (const char* function : {driver.push_context.name, driver.from_device.name,
                                 driver.copy_rows.name, driver.wait_for_stream.name})
      for (long at = 0; at < 12; ++at) {
        SCOPED_TRACE(std::string(function) + ", call " + std::to_string(at));
        std::mutex mutex;
        std::multiset<std::string> texts;
        fake().failure(function, at, 719);
        run(true, [&](const Communicator& comm) {
          FileOptions options;
          options.device_io = DeviceIo::direct;
          options.method = TransferMethod::collective;
          options.collective_buffer = 65536;
          File file = File::open(path(), Access::read_write, comm, options);
          Dataset d = file.root().open_dataset("d");
          std::string text;
          try {
            write_part(d, comm, parts, true);
          } catch (const Error& error) {
            text = error.what();
          }
          file.close();
          const std::scoped_lock lock(mutex);
          texts.insert(text);
        });
        const bool is_called = fake().calls(function) > at;
        fake().failure(nullptr, -1, 0);
        EXPECT_EQ(texts.count(*texts.begin()), texts.size()) << *texts.begin() << *texts.rbegin();
        EXPECT_EQ(File::open(path()).root().open_dataset("other").read<double>(),
                  values_from(0, kRows * kColumns));
        if (!is_called) break;
        EXPECT_NE(texts.begin()->find("the fake driver fails"), std::string::npos)
            << *texts.begin();
      }
}

INSTANTIATE_TEST_SUITE_P(Ranks, MessagesFromDevice, testing::Values(1, 2, 3),
                         [](const auto& tested) { return std::to_string(tested.param); });

}  // namespace
}  // namespace onecast::test
