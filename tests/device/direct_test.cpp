// Transfers by cuFile do what staged ones do; if it fails, they are staged, or say why they are
// not.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_array.hpp"
#include "onecast/onecast.hpp"
#include "support/temporary_directory.hpp"
#include "support/thread_point_to_point.hpp"

namespace onecast::test {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::uint64_t kRows = 3001;
constexpr std::uint64_t kColumns = 150;

std::vector<double> counted(std::size_t count, double first) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class DirectTransfer : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_fake_cuda()) GTEST_SKIP() << "for the fake driver, as CUDA's";
    setenv("ONECAST_CUFILE", ONECAST_FAKE_CUFILE, 1);
    cu_file().failure(nullptr, -1, 0);
  }
  ~DirectTransfer() override {
    if (!is_fake_cuda()) return;
    unsetenv("ONECAST_CUFILE");
    cu_file().failure(nullptr, -1, 0);
  }

  [[nodiscard]] std::string path() const { return folder_ / "x.h5"; }
  [[nodiscard]] static FileOptions options(DeviceIo way) {
    FileOptions options;
    options.device_io = way;
    options.method = TransferMethod::independent;  // no rank transfers for another one
    options.collective_buffer = 65536;
    return options;
  }
  static Selection rows_of(const Dataset& d, const Communicator& comm) {
    const auto r = static_cast<std::uint64_t>(comm.rank());
    const auto n = static_cast<std::uint64_t>(comm.size());
    return d.rows(kRows * r / n, kRows * (r + 1) / n);
  }
  static std::size_t count_of(const Communicator& comm) {
    const auto r = static_cast<std::uint64_t>(comm.rank());
    const auto n = static_cast<std::uint64_t>(comm.size());
    return (kRows * (r + 1) / n - kRows * r / n) * kColumns;
  }

  /// Makes a file with data that has its places, and with small data beside.
  void create(const std::string& at) const {
    File file = File::create(at);
    const auto add = [&](const char* name, DatasetOptions how, const Datatype& type) {
      Dataset d = file.root().create_dataset(
          name, {.type = type, .space = Dataspace({kRows, kColumns}), .options = std::move(how)});
      d.write(counted(kRows * kColumns, 0));
    };
    const Datatype type = Datatype::of<double>();
    add("contiguous", {.layout = Layout::contiguous}, type);
    add("chunked", {.chunk = {200, kColumns}}, type);
    add("deflated", {.chunk = {200, kColumns}, .filters = {Filter::deflate(1)}}, type);
    add("converted", {.layout = Layout::contiguous}, Datatype::of<float>());
    add("other", {.layout = Layout::contiguous}, type);
    file.root().create_dataset("small", {3}, {1, 2, 3});
    file.close();
  }

  void expect_intact(const char* name) const {
    EXPECT_EQ(File::open(path()).root().open_dataset(name).read<double>(),
              counted(kRows * kColumns, 0))
        << name;
  }

  TemporaryDirectory folder_;
};

class DirectTransfers : public DirectTransfer, public testing::WithParamInterface<int> {
 protected:
  /// Writes and reads the stored values on all ranks, and returns the text of each rank's error.
  std::multiset<std::string> errors_of(const char* name, DeviceIo way) const {
    std::mutex mutex;
    std::multiset<std::string> texts;
    run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
      File file = File::open(path(), Access::read_write, comm, options(way));
      Dataset d = file.root().open_dataset(name);
      std::string text;
      try {
        const DeviceArray<double> array(d.read<double>(rows_of(d, comm)));
        d.write_all(array.span(), rows_of(d, comm));
        d.read_all(array.span(), rows_of(d, comm));
      } catch (const Error& error) {
        text = error.what();
      }
      file.close();
      const std::scoped_lock lock(mutex);
      texts.insert(text);
    });
    EXPECT_EQ(texts.count(*texts.begin()), texts.size()) << *texts.begin() << *texts.rbegin();
    return texts;
  }

  /// Writes new values and reads them again, on all ranks, each its rows.
  void transfer(
      const std::string& at, const char* name, DeviceIo way,
      const std::function<void(const File&)>& look = [](const File&) {}) const {
    run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
      File file = File::open(at, Access::read_write, comm, options(way));
      Dataset d = file.root().open_dataset(name);
      const auto values = counted(count_of(comm), 7 + comm.rank());
      const DeviceArray<double> array(values);
      d.write_all(array.span(), rows_of(d, comm));
      look(file);
      const DeviceArray<double> back(values.size());
      d.read_all(back.span(), rows_of(d, comm));
      look(file);
      EXPECT_EQ(back.values(), values);
      d.read(back.span(), rows_of(d, comm));
      EXPECT_EQ(back.values(), values);
      file.close();
    });
  }
};

TEST_P(DirectTransfers, LeaveTheBytesOfStagedOnes) {
  for (const char* name : {"contiguous", "chunked"}) {
    SCOPED_TRACE(name);
    create(path());
    transfer(path(), name, DeviceIo::staged, [](const File& file) {
      EXPECT_NE(file.explain().find("memory of a device: staged: as the option"), std::string::npos)
          << file.explain();
    });
    const std::string expected = contents(path());
    for (const DeviceIo way : {DeviceIo::direct, DeviceIo::automatic}) {
      create(path());
      cu_file().failure(nullptr, -1, 0);
      transfer(path(), name, way, [](const File& file) {
        EXPECT_TRUE(file.explain().ends_with("; memory of a device: by cuFile")) << file.explain();
      });
      EXPECT_GE(cu_file().calls("cuFileWrite"), 3);
      EXPECT_GE(cu_file().calls("cuFileRead"), 3);
      EXPECT_EQ(cu_file().handles(), 0);
      EXPECT_EQ(contents(path()), expected);
    }
  }
}

TEST_P(DirectTransfers, AreRefusedOnAllRanksIfDataIsStagedByItsNature) {
  create(path());
  const auto texts = errors_of("deflated", DeviceIo::direct);
  EXPECT_NE(texts.begin()->find("device_io: direct: chunks have filters"), std::string::npos)
      << *texts.begin();
  expect_intact("deflated");
}

TEST_F(DirectTransfer, ReadsChunksOfAFileOpenedForReading) {
  create(path());
  const File file = File::open(path(), Access::read_only, options(DeviceIo::direct));
  const DeviceArray<double> array(kRows * kColumns);
  file.root().open_dataset("chunked").read(array.span());
  EXPECT_TRUE(file.explain().ends_with("by cuFile")) << file.explain();
  EXPECT_EQ(array.values(), counted(kRows * kColumns, 0));
}

TEST_F(DirectTransfer, IsRefusedIfChunksHaveNoPlace) {
  create(path());
  File file = File::open(path(), Access::read_write, options(DeviceIo::direct));
  Dataset fresh = file.root().create_dataset("new", {.type = Datatype::of<double>(),
                                                     .space = Dataspace({kRows, kColumns}),
                                                     .options = {.chunk = {200, kColumns}}});
  const DeviceArray<double> array(counted(kRows * kColumns, 5));
  const auto refusal = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      return error.what();
    }
    return {};
  };
  for (const std::string& text : {refusal([&] { fresh.write(array.span()); }),
                                  refusal([&] { fresh.write_all(array.span()); })})
    EXPECT_NE(text.find("device_io: direct: not all elements have a place"), std::string::npos)
        << text;
  file.close();
}

TEST_F(DirectTransfer, KeepsTheErrorOfTheSystem) {
  create(path());
  File file = File::open(path(), Access::read_write, options(DeviceIo::direct));
  Dataset d = file.root().open_dataset("contiguous");
  const auto values = counted(kRows * kColumns, 5);
  const DeviceArray<double> array(values);
  cu_file().failure("cuFileWrite", 0, -EIO);
  try {
    d.write(array.span());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.system_errno(), EIO) << error.what();
  }
  // After a signal the call is made again; without room, the transport is told so.
  for (const int error : {EINTR, ENOSPC}) {
    cu_file().failure("cuFileWrite", 0, -error);
    d.write(array.span());
    EXPECT_EQ(d.read<double>(), values);
  }
  file.close();
}

TEST_F(DirectTransfer, SaysWhyItIsStaged) {
  create(path());
  struct Case {
    const char* name;
    const char* reason;
  };
  for (const auto& [name, reason] : std::array{Case{"deflated", "chunks have filters"},
                                               Case{"converted", "elements are converted"}})
    for (const DeviceIo way : {DeviceIo::automatic, DeviceIo::direct}) {
      File file = File::open(path(), Access::read_write, options(way));
      Dataset d = file.root().open_dataset(name);
      const DeviceArray<double> array(counted(kRows * kColumns, 0));
      for (const bool writes : {true, false}) {
        std::string said;
        try {
          writes ? d.write(array.span()) : d.read(array.span());
          said = file.explain();
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::unsupported);
          said = error.what();
        }
        const char* before = way == DeviceIo::direct ? "device_io: direct: " : "a device: staged: ";
        EXPECT_NE(said.find(std::string(before) + reason), std::string::npos) << said;
      }
      EXPECT_EQ(array.values(), counted(kRows * kColumns, 0));
      file.close();
      expect_intact(name);
    }
  // The elements of a column are too short by themselves.
  const File file = File::open(path(), Access::read_only, options(DeviceIo::automatic));
  const Dataset d = file.root().open_dataset("contiguous");
  const Selection part = Hyperslab{{0, 0}, {kRows, kColumns - 1}};
  const auto expected = d.read<double>(part);
  const DeviceArray<double> array(expected.size());
  d.read(array.span(), part);
  EXPECT_EQ(array.values(), expected);
  EXPECT_NE(file.explain().find("pieces of 1192 bytes are too short"), std::string::npos)
      << file.explain();
  const File other = File::open(path(), Access::read_only, options(DeviceIo::direct));
  other.root().open_dataset("contiguous").read(array.span(), part);
  EXPECT_EQ(array.values(), expected);
}

TEST_F(DirectTransfer, OfDataThatNobodyWrote) {
  for (const DeviceIo way : {DeviceIo::automatic, DeviceIo::staged}) {
    File file = File::create(path(), options(way));
    Dataset d = file.root().create_dataset("d", {.type = Datatype::of<double>(),
                                                 .space = Dataspace({kRows, kColumns}),
                                                 .options = {.layout = Layout::contiguous}});
    const DeviceArray<double> array(counted(kRows * kColumns, 1));
    d.read(array.span());
    EXPECT_EQ(array.values(), std::vector<double>(kRows * kColumns));
    const DeviceArray<double> half(counted(kRows / 2 * kColumns, 1));
    d.write(half.span(), d.rows(0, kRows / 2));
    d.read(array.span());
    EXPECT_EQ(array.values()[kColumns], 1 + kColumns);
    EXPECT_EQ(array.values().back(), 0);
    file.close();
  }
}

TEST_F(DirectTransfer, WaitsForItsStream) {
  create(path());
  File file = File::open(path(), Access::read_write, options(DeviceIo::direct));
  Dataset d = file.root().open_dataset("contiguous");
  const auto values = counted(kRows * kColumns, 3);
  const DeviceArray<double> array(std::vector<double>(values.size()));
  void* stream = fake().stream(false);
  fake().put(stream, array.span().data(), values.data(), array.span().size_bytes());
  d.write_async(array.span(), TransferRequest{.stream = reinterpret_cast<std::uintptr_t>(stream)})
      .wait();
  EXPECT_EQ(d.read<double>(), values);
  const std::vector<double> earlier(values.size(), -1);
  fake().put(stream, array.span().data(), earlier.data(), array.span().size_bytes());
  d.read(array.span(), TransferRequest{.stream = reinterpret_cast<std::uintptr_t>(stream)});
  wait_for_stream(array.span().data(), reinterpret_cast<std::uintptr_t>(stream));
  EXPECT_EQ(array.values(), values);
  file.close();
}

TEST_P(DirectTransfers, AreStagedWhenCuFileFails) {
  for (const char* name : {"contiguous", "chunked"})
    for (const char* function : {"cuFileHandleRegister", "cuFileRead", "cuFileWrite"})
      for (long at = 0; at < 6; ++at) {
        SCOPED_TRACE(std::string(function) + ", call " + std::to_string(at));
        create(path());
        cu_file().failure(function, at,
                          function == std::string("cuFileHandleRegister") ? 5030 : -5030);
        transfer(path(), name, DeviceIo::automatic);
        const long calls = cu_file().calls(function);
        cu_file().failure(nullptr, -1, 0);
        ASSERT_GT(calls, 0);
        EXPECT_EQ(cu_file().handles(), 0);
        expect_intact("other");
        if (calls <= at) break;
      }
}

TEST_P(DirectTransfers, FailOnAllRanksIfNothingElseIsAllowed) {
  create(path());
  for (const char* name : {"contiguous", "chunked"})
    for (const char* function : {"cuFileHandleRegister", "cuFileRead", "cuFileWrite"})
      for (long at = 0; at < 8; ++at) {
        SCOPED_TRACE(std::string(function) + ", call " + std::to_string(at));
        cu_file().failure(function, at,
                          function == std::string("cuFileHandleRegister") ? 5030 : -5030);
        const auto texts = errors_of(name, DeviceIo::direct);
        const long calls = cu_file().calls(function);
        cu_file().failure(nullptr, -1, 0);
        ASSERT_GT(calls, 0);
        expect_intact(name);
        expect_intact("other");
        if (calls <= at) break;
        EXPECT_NE(texts.begin()->find(std::string("device_io: direct: ") + function),
                  std::string::npos)
            << *texts.begin();
        EXPECT_NE(texts.begin()->find("error 5030"), std::string::npos) << *texts.begin();
      }
}

TEST_P(DirectTransfers, GoOnBehindTheEndOfTheFile) {
  create(path());
  cu_file().failure("cuFileRead", 1, 0);  // as if there were nothing more
  transfer(path(), "contiguous", DeviceIo::direct);
}

INSTANTIATE_TEST_SUITE_P(Ranks, DirectTransfers, testing::Values(1, 3));

}  // namespace
}  // namespace onecast::test
