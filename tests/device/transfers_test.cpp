// Reads and writes whose memory is a device's do what those from memory of the process do.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numeric>
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

template <class T>
std::vector<T> counted(std::size_t count, T first = 1) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// A kind of storage, for numbers in an array of `rows` and `columns`.
struct Storage {
  const char* name;
  DatasetOptions options;
  Datatype type = Datatype::of<double>();
};

std::vector<Storage> storages() {
  const Shape chunk{40, 30};
  return {{"contiguous", {.layout = Layout::contiguous}},
          {"converted", {.layout = Layout::contiguous}, Datatype::of<float>()},
          {"chunked", {.chunk = chunk}},
          {"deflated", {.chunk = chunk, .filters = {Filter::shuffle(), Filter::deflate(1)}}},
          {"converted chunks",
           {.chunk = chunk, .filters = {Filter::deflate(1)}},
           Datatype::of<std::int64_t>()}};
}

struct Size {
  const char* name;
  std::uint64_t rows, columns;
};
// The large one has several parts.
constexpr std::array kSizes{Size{"small", 40, 50}, Size{"large", 2500, 130}};

struct Part {
  const char* name;
  Selection (*of)(const Size&);
};
const std::array kParts{
    Part{"all", [](const Size&) { return Selection(); }},
    Part{"inner rows",
         [](const Size& s) -> Selection { return Hyperslab{{3, 0}, {s.rows - 7, s.columns}}; }},
    Part{"inner block",
         [](const Size& s) -> Selection { return Hyperslab{{3, 5}, {s.rows - 7, s.columns - 9}}; }},
    Part{"every second column",
         [](const Size& s) -> Selection {
           return Hyperslab{{0, 1}, {s.rows, s.columns / 2 - 1}, {1, 2}};
         }},
    Part{"points", [](const Size&) { return Selection::points(2, {7, 3, 0, 0, 7, 4, 39, 49}); }}};

using Case = std::tuple<Storage, Size, Part>;

class DeviceTransfers : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] const Storage& storage() const { return std::get<0>(GetParam()); }
  [[nodiscard]] const Size& size() const { return std::get<1>(GetParam()); }
  [[nodiscard]] Selection part() const { return std::get<2>(GetParam()).of(size()); }
  [[nodiscard]] std::size_t all() const { return size().rows * size().columns; }
  [[nodiscard]] DatasetDescription description() const {
    return {.type = storage().type,
            .space = Dataspace({size().rows, size().columns}),
            .options = storage().options};
  }
  [[nodiscard]] std::size_t selected() const {
    File file = File::create(folder_ / "count.h5");
    const auto count = file.root().create_dataset("d", description()).read<double>(part()).size();
    file.close();
    return count;
  }

  /// Makes a file with a dataset by `write`, on several ranks; returns its bytes.
  template <class F>
  std::string written(const std::string& name, int ranks, F&& write) {
    const std::string path = folder_ / name;
    run_with_communicators(ranks, [&](const Communicator& comm, ThreadRank&) {
      File file = File::create(path, comm);
      Dataset d = file.root().create_dataset("d", description());
      d.write_all(counted<double>(comm.rank() == 0 ? all() : 0, -1e6),
                  comm.rank() == 0 ? Selection() : Selection::none());
      file.flush();
      write(d, comm);
      file.close();
    });
    return contents(path);
  }

  TemporaryDirectory folder_;
};

TEST_P(DeviceTransfers, AWriteHasTheBytesOfAWriteFromTheProcess) {
  const std::vector<double> values = counted<double>(selected());
  const std::string expected = [&] {
    File file = File::create(folder_ / "expected.h5");
    file.root().create_dataset("d", description()).write(values, part());
    file.close();
    return contents(folder_ / "expected.h5");
  }();
  for (const bool has_context : {true, false}) {
    const DeviceArray<double> array(values, has_context);
    File file = File::create(folder_ / "device.h5");
    Dataset d = file.root().create_dataset("d", description());
    d.write(array.span(), part());
    EXPECT_EQ(d.read<double>(part()), values);
    file.close();
    EXPECT_EQ(contents(folder_ / "device.h5"), expected);
  }
}

TEST_P(DeviceTransfers, AReadGetsWhatTheProcessGets) {
  File file = File::create(folder_ / "x.h5");
  Dataset d = file.root().create_dataset("d", description());
  d.write(counted<double>(all()));
  file.close();
  const File again = File::open(folder_ / "x.h5");
  const Dataset from = again.root().open_dataset("d");
  const auto expected = from.read<double>(part());
  DeviceArray<double> array(expected.size());
  from.read(array.span(), part());
  EXPECT_EQ(array.values(), expected);
  DeviceArray<double> together(expected.size());
  from.read_all(together.span(), part());
  EXPECT_EQ(together.values(), expected);
  DeviceArray<double> later(expected.size(), false);
  from.read_async(later.span(), part()).wait();
  EXPECT_EQ(later.values(), expected);
}

TEST_P(DeviceTransfers, MemoryMayHaveALayoutOfItsOwn) {
  const std::size_t count = selected();
  // Every element has a gap behind it, and every ten have another.
  const std::uint64_t rows = count / 10;
  const Selection first = Hyperslab{{0, 0}, {rows, 10}, {1, 2}};
  if (rows * 10 != count) GTEST_SKIP();
  const MemoryLayout layout({rows, 23}, first);
  const std::vector<double> memory = counted<double>(rows * 23);
  File file = File::create(folder_ / "x.h5");
  Dataset d = file.root().create_dataset("d", description());
  const DeviceArray<double> array(memory);
  d.write(array.span(), {.part = part(), .memory = layout});
  std::vector<double> expected(memory.size(), -1);
  d.read(expected, {.part = part(), .memory = layout});
  EXPECT_EQ(expected[2], memory[2]);
  DeviceArray<double> back{std::span<const double>(std::vector<double>(memory.size(), -1))};
  d.read(back.span(), {.part = part(), .memory = layout});
  EXPECT_EQ(back.values(), expected);
  file.close();
}

/// Each rank its part of the rows, or all ranks the same.
TEST_P(DeviceTransfers, RanksTransferTogether) {
  for (const int ranks : {1, 3})
    for (const bool same : {false, true}) {
      SCOPED_TRACE(std::to_string(ranks) + (same ? " ranks, the same" : " ranks, parts"));
      const auto rows_of = [&](const Communicator& comm) {
        const auto r = static_cast<std::uint64_t>(comm.rank());
        const auto n = static_cast<std::uint64_t>(comm.size());
        return same ? std::pair{std::uint64_t{0}, size().rows}
                    : std::pair{size().rows * r / n, size().rows * (r + 1) / n};
      };
      const auto mine = [&](const Communicator& comm) {
        const auto [first, end] = rows_of(comm);
        return counted<double>((end - first) * size().columns,
                               static_cast<double>(first * size().columns));
      };
      const std::string expected = written("host.h5", ranks, [&](Dataset& d, const auto& comm) {
        d.write_all(mine(comm), d.rows(rows_of(comm).first, rows_of(comm).second));
      });
      // One rank has its values in memory of the process.
      EXPECT_EQ(written("device.h5", ranks,
                        [&](Dataset& d, const auto& comm) {
                          const auto part = d.rows(rows_of(comm).first, rows_of(comm).second);
                          const std::vector<double> values = mine(comm);
                          const DeviceArray<double> array(values);
                          if (comm.rank() == 1)
                            d.write_all(values, part);
                          else
                            d.write_all(array.span(), part);
                          DeviceArray<double> back(values.size());
                          d.read_all(back.span(), part);
                          EXPECT_EQ(back.values(), values);
                        }),
                expected);
      run_with_communicators(ranks, [&](const Communicator& comm, ThreadRank&) {
        const File file = File::open(folder_ / "device.h5", Access::read_only, comm);
        const Dataset d = file.root().open_dataset("d");
        const std::vector<double> values = mine(comm);
        DeviceArray<double> array(values.size());
        std::vector<double> here(values.size());
        const auto part = d.rows(rows_of(comm).first, rows_of(comm).second);
        if (comm.rank() == 1)
          d.read_all(here, part);
        else
          d.read_all(array.span(), part);
        EXPECT_EQ(comm.rank() == 1 ? here : array.values(), values);
      });
    }
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  const auto& [storage, size, part] = info.param;
  std::string name = std::string(size.name) + " " + storage.name + " " + part.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DeviceTransfers,
                         testing::Combine(testing::ValuesIn(storages()), testing::ValuesIn(kSizes),
                                          testing::ValuesIn(kParts)),
                         name_of_case);

class DeviceLists : public testing::TestWithParam<int> {
 protected:
  TemporaryDirectory folder_;
};

TEST_P(DeviceLists, ListsMixMemoryOfBothKinds) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(folder_ / "x.h5", comm);
    Group root = file.root();
    const std::uint64_t n = 300000;
    Dataset a = root.create_dataset("a", {Datatype::of<double>(), Dataspace({n})});
    Dataset b = root.create_dataset(
        "b",
        {.type = Datatype::of<float>(), .space = Dataspace({n}), .options = {.chunk = {1000}}});
    Dataset c = root.create_dataset("c", {Datatype::of<double>(), Dataspace({10})});
    const auto part = [&](const Dataset& d) {
      const std::uint64_t rows = d.shape()[0];
      const auto r = static_cast<std::uint64_t>(comm.rank());
      const auto of = static_cast<std::uint64_t>(comm.size());
      return d.rows(rows * r / of, rows * (r + 1) / of);
    };
    const auto count = [&](const Dataset& d) { return d.read<double>(part(d)).size(); };
    const DeviceArray<double> of_a(counted<double>(count(a)));
    const std::vector<double> of_b = counted<double>(count(b), 5);
    const DeviceArray<double> of_c(counted<double>(count(c), 9));
    file.write_multi(std::vector<WriteRequest>{
        {a, of_a.span(), part(a)}, {b, of_b, part(b)}, {c, of_c.span(), part(c)}});
    std::vector<double> back_a(of_a.span().size());
    DeviceArray<double> back_b(of_b.size());
    DeviceArray<double> back_c(of_c.span().size());
    file.read_multi(std::vector<ReadRequest>{
        {a, back_a, part(a)}, {b, back_b.span(), part(b)}, {c, back_c.span(), part(c)}});
    EXPECT_EQ(back_a, of_a.values());
    EXPECT_EQ(back_b.values(), of_b);
    EXPECT_EQ(back_c.values(), of_c.values());
    file.close();
  });
}

TEST_P(DeviceLists, ADatasetIsCreatedWithValuesOfADevice) {
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(folder_ / "x.h5", comm);
    const std::vector<double> values = counted<double>(400000);
    const DeviceArray<double> array(values);
    const Dataset d = file.root().create_dataset("d", {400, 1000}, array.span());
    const Dataset few = file.root().create_dataset("few", {3}, array.span().first(3));
    file.flush();
    EXPECT_EQ(d.read_all<double>(), values);
    EXPECT_EQ(few.read_all<double>(), (std::vector{1.0, 2.0, 3.0}));
    Dataset equal = file.root().create_dataset("e", {Datatype::of<double>(), Dataspace({400000})});
    equal.write_equal(array.span());
    file.flush();
    DeviceArray<double> back(400000);
    equal.read_all(back.span());
    EXPECT_EQ(back.values(), values);
    file.close();
  });
}

TEST_P(DeviceLists, CompactDataAndMembersOfCompounds) {
  struct Both {
    double x;
    std::int32_t y;
    std::int32_t z;
  };
  const Datatype one =
      Datatype::compound(16, {{"y", offsetof(Both, y), Datatype::of<std::int32_t>()}});
  const Datatype type =
      Datatype::compound(16, {{"x", offsetof(Both, x), Datatype::of<double>()},
                              {"y", offsetof(Both, y), Datatype::of<std::int32_t>()},
                              {"z", offsetof(Both, z), Datatype::of<std::int32_t>()}});
  run_with_communicators(GetParam(), [&](const Communicator& comm, ThreadRank&) {
    File file = File::create(folder_ / "x.h5", comm);
    Dataset d = file.root().create_dataset(
        "d", {.type = type, .space = Dataspace({4}), .options = {.layout = Layout::compact}});
    const std::vector<Both> values{{1.5, 2, 3}, {2.5, 3, 4}, {3.5, 4, 5}, {4.5, 5, 6}};
    const DeviceArray<Both> array(values);
    d.write_all(array.span(), {.memory_type = type});
    const DeviceArray<Both> members(std::vector<Both>(4, Both{0, 7, 0}));
    d.write_all(members.span(), {.memory_type = one});
    DeviceArray<Both> back(std::vector<Both>(4, Both{-1, -1, -1}));
    d.read(back.span(), {.memory_type = one});
    EXPECT_EQ(back.values()[2].y, 7);
    EXPECT_EQ(back.values()[2].x, -1);
    std::vector<Both> apart(8, Both{-1, -1, -1});
    d.read(apart, {.memory = MemoryLayout({8}, Hyperslab{{0}, {4}, {2}}), .memory_type = one});
    EXPECT_EQ(apart[4].y, 7);
    EXPECT_EQ(apart[4].x, -1);
    d.read_all(back.span(), {.memory_type = type});
    EXPECT_EQ(back.values()[2].x, 3.5);
    EXPECT_EQ(back.values()[2].y, 7);
    EXPECT_EQ(back.values()[2].z, 5);
    file.close();
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, DeviceLists, testing::Values(1, 3));

}  // namespace
}  // namespace onecast::test
