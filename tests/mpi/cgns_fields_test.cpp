// Fields, arrays and point lists of CGNS files, of which each rank writes and reads its part
#include <pcgnslib.h>

#include <array>
#include <numeric>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

/// Each rank has kPlanes planes of 3 x 2 cells. Two of all planes are rind.
class CgnsFieldsTest : public ParallelTest {
 protected:
  static constexpr cgsize_t kPlanes = 5;
  static constexpr cgsize_t kCells = 6;  // the cells of a plane

  /// The planes of some ranks.
  struct Part {
    cgsize_t first, count;

    [[nodiscard]] cgsize_t low() const { return kPlanes * first + 1; }
    [[nodiscard]] cgsize_t high() const { return kPlanes * (first + count); }
    [[nodiscard]] std::vector<double> values(double offset) const {
      std::vector<double> numbers(static_cast<std::size_t>(kCells * kPlanes * count));
      std::iota(numbers.begin(), numbers.end(),
                static_cast<double>(kCells * kPlanes * first) + offset);
      return numbers;
    }
    [[nodiscard]] std::vector<cgsize_t> points() const {
      std::vector<cgsize_t> numbers(static_cast<std::size_t>(3 * kPlanes * count));
      std::iota(numbers.begin(), numbers.end(), 3 * kPlanes * first + 1);
      return numbers;
    }
  };

  CgnsFieldsTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }
  static void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }
  [[nodiscard]] Part mine() const { return {rank(), 1}; }
  [[nodiscard]] Part others() const { return {(rank() + 1) % size(), 1}; }

  /// Creates a zone with a solution that has rind, discrete data and a boundary condition, whose
  /// data the ranks write later. Returns the number of the file.
  static int create(const std::string& file, cgsize_t ranks) {
    int fn = 0;
    int at = 0;
    const cgsize_t planes = kPlanes * ranks;
    const std::array<cgsize_t, 9> sizes{4, 3, planes - 1, 3, 2, planes - 2, 0, 0, 0};
    check(cgp_open(file.c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &at));
    check(cg_zone_write(fn, 1, "Zone", sizes.data(), Structured, &at));
    check(cg_sol_write(fn, 1, 1, "Cells", CellCenter, &at));
    const std::array<int, 6> rind{0, 0, 0, 0, 1, 1};
    check(cg_goto(fn, 1, "Zone_t", 1, "FlowSolution_t", 1, "end"));
    check(cg_rind_write(rind.data()));
    check(cgp_field_write(fn, 1, 1, 1, RealDouble, "Density", &at));
    check(cgp_field_write(fn, 1, 1, 1, RealSingle, "Pressure", &at));
    check(cgp_field_write(fn, 1, 1, 1, RealDouble, "VelocityX", &at));
    check(cgp_field_write(fn, 1, 1, 1, RealDouble, "VelocityY", &at));
    EXPECT_EQ(at, 4);
    check(cg_discrete_write(fn, 1, 1, "Discrete", &at));
    check(cg_goto(fn, 1, "Zone_t", 1, "DiscreteData_t", 1, "end"));
    const std::array<cgsize_t, 2> extents{kCells, planes};
    check(cgp_array_write("Plain", RealDouble, 2, extents.data(), &at));
    check(cgp_array_write("General", Integer, 2, extents.data(), &at));
    check(cgp_array_write("One", RealDouble, 2, extents.data(), &at));
    check(cgp_array_write("Two", RealDouble, 2, extents.data(), &at));
    EXPECT_EQ(at, 4);
    check(cg_boco_write(fn, 1, 1, "Wall", BCWall, PointList, planes, nullptr, &at));
    return fn;
  }

  static void go_to_arrays(int fn) {
    check(cg_goto(fn, 1, "Zone_t", 1, "DiscreteData_t", 1, "end"));
  }
  static void go_to_points(int fn) {
    check(cg_goto(fn, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", 1, "PointList", 0, "end"));
  }

  /// Transfers all arrays. Plain calls count from the first plane of rind. General calls count from
  /// the core, and have a plane before and behind it in memory.
  template <class Plain, class General, class Multi>
  static void fields(const Part& part, Plain plain, General general, Multi multi) {
    const std::array<cgsize_t, 3> low{1, 1, part.low()};
    const std::array<cgsize_t, 3> high{3, 2, part.high()};
    check(plain(low.data(), high.data()));
    const std::array<cgsize_t, 3> core_low{1, 1, part.low() - 1};
    const std::array<cgsize_t, 3> core_high{3, 2, part.high() - 1};
    const std::array<cgsize_t, 2> extents{kCells, kPlanes * part.count + 2};
    const std::array<cgsize_t, 2> from{1, 2};
    const std::array<cgsize_t, 2> to{kCells, kPlanes * part.count + 1};
    check(general(core_low.data(), core_high.data(), 2, extents.data(), from.data(), to.data()));
    std::array<int, 2> both{3, 4};
    check(multi(both.data(), low.data(), high.data(), 2));
  }
  template <class Plain, class General, class Multi>
  static void arrays(const Part& part, Plain plain, General general, Multi multi) {
    const std::array<cgsize_t, 2> low{1, part.low()};
    const std::array<cgsize_t, 2> high{kCells, part.high()};
    const std::array<cgsize_t, 2> extents{kCells, kPlanes * part.count + 2};
    const std::array<cgsize_t, 2> from{1, 2};
    const std::array<cgsize_t, 2> to{kCells, kPlanes * part.count + 1};
    check(plain(low.data(), high.data()));
    check(general(low.data(), high.data(), 2, extents.data(), from.data(), to.data()));
    std::array<int, 2> both{3, 4};
    check(multi(both.data(), low.data(), high.data(), 2));
  }
  static std::vector<double> with_planes_around(const std::vector<double>& values) {
    std::vector<double> memory(static_cast<std::size_t>(kCells), -1.0);
    memory.insert(memory.end(), values.begin(), values.end());
    memory.resize(memory.size() + kCells, -1.0);
    return memory;
  }

  static void write(int fn, const Part& part) {
    const auto values = part.values(0);
    const auto more = part.values(0.5);
    const auto memory = with_planes_around(values);
    std::array<const void*, 2> both{values.data(), more.data()};
    fields(
        part,
        [&](auto low, auto high) {
          return cgp_field_write_data(fn, 1, 1, 1, 1, low, high, more.data());
        },
        [&](auto low, auto high, int rank, auto extents, auto from, auto to) {
          return cgp_field_general_write_data(fn, 1, 1, 1, 2, low, high, RealDouble, rank, extents,
                                              from, to, memory.data());
        },
        [&](int* which, auto low, auto high, int sets) {
          return cgp_field_multi_write_data(fn, 1, 1, 1, which, low, high, sets, both.data());
        });
    go_to_arrays(fn);
    arrays(
        part, [&](auto low, auto high) { return cgp_array_write_data(1, low, high, more.data()); },
        [&](auto low, auto high, int rank, auto extents, auto from, auto to) {
          return cgp_array_general_write_data(2, low, high, RealDouble, rank, extents, from, to,
                                              memory.data());
        },
        [&](int* which, auto low, auto high, int sets) {
          return cgp_array_multi_write_data(fn, which, low, high, sets, both.data());
        });
    go_to_points(fn);
    check(cgp_ptlist_write_data(fn, part.low(), part.high(), part.points().data()));
  }

  static void expect_values(int fn, const Part& part) {
    const auto values = part.values(0);
    const auto more = part.values(0.5);
    std::vector<double> found(values.size());
    std::vector<double> memory = with_planes_around(std::vector<double>(values.size()));
    std::vector<double> one(values.size());
    std::vector<double> two(values.size());
    std::array<void*, 2> both{one.data(), two.data()};
    const auto expect = [&] {
      EXPECT_EQ(found, more);
      EXPECT_EQ(memory, with_planes_around(values));
      EXPECT_EQ(one, values);
      EXPECT_EQ(two, more);
    };
    fields(
        part,
        [&](auto low, auto high) {
          return cgp_field_read_data(fn, 1, 1, 1, 1, low, high, found.data());
        },
        [&](auto low, auto high, int rank, auto extents, auto from, auto to) {
          return cgp_field_general_read_data(fn, 1, 1, 1, 2, low, high, RealDouble, rank, extents,
                                             from, to, memory.data());
        },
        [&](int* which, auto low, auto high, int sets) {
          return cgp_field_multi_read_data(fn, 1, 1, 1, which, low, high, sets, both.data());
        });
    expect();
    found.assign(found.size(), 0);
    memory = with_planes_around(found);
    one = two = found;
    both = {one.data(), two.data()};
    go_to_arrays(fn);
    arrays(
        part, [&](auto low, auto high) { return cgp_array_read_data(1, low, high, found.data()); },
        [&](auto low, auto high, int rank, auto extents, auto from, auto to) {
          return cgp_array_general_read_data(2, low, high, RealDouble, rank, extents, from, to,
                                             memory.data());
        },
        [&](int* which, auto low, auto high, int sets) {
          return cgp_array_multi_read_data(fn, which, low, high, sets, both.data());
        });
    expect();
    go_to_points(fn);
    std::vector<cgsize_t> points(part.points().size());
    check(cgp_ptlist_read_data(fn, part.low(), part.high(), points.data()));
    EXPECT_EQ(points, part.points());
  }
};

TEST_F(CgnsFieldsTest, BytesDoNotDependOnTheRanks) {
  const int fn = create(path(), size());
  write(fn, mine());
  check(cgp_close(fn));
  if (rank() == 0) {
    cgp_mpi_comm(MPI_COMM_SELF);
    const int alone = create(path("alone.h5"), size());
    write(alone, {0, size()});
    check(cgp_close(alone));
  }
  EXPECT_EQ(contents(path()), contents(path("alone.h5")));
}

TEST_F(CgnsFieldsTest, EachRankReadsWhatAnotherWrote) {
  int fn = create(path(), size());
  write(fn, mine());
  expect_values(fn, others());
  check(cgp_close(fn));
  check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
  expect_values(fn, others());
  cgp_pio_mode(CGP_INDEPENDENT);
  if (rank() == last()) expect_values(fn, {0, size()});
  check(cgp_close(fn));
}

TEST_F(CgnsFieldsTest, IndependentWritesNeedNoOtherRank) {
  const int fn = create(path(), size());
  cgp_pio_mode(CGP_INDEPENDENT);
  if (rank() == last()) write(fn, {0, size()});
  check(cgp_close(fn));
  cgp_pio_mode(CGP_COLLECTIVE);
  int again = 0;
  check(cgp_open(path().c_str(), CG_MODE_READ, &again));
  expect_values(again, mine());
  check(cgp_close(again));
}

TEST_F(CgnsFieldsTest, RanksWithoutDataPassNull) {
  const int fn = create(path(), size());
  write(fn, mine());
  const bool writes = rank() == last();
  const std::array<cgsize_t, 3> low{1, 1, 1};
  const std::array<cgsize_t, 3> high{3, 2, 1};
  const std::vector<double> values(kCells, -1.0);
  std::array<const void*, 2> both{values.data(), nullptr};
  std::array<int, 2> which{3, 4};
  check(cgp_field_multi_write_data(fn, 1, 1, 1, which.data(), low.data(), high.data(), 2,
                                   writes ? both.data() : nullptr));
  go_to_points(fn);
  const std::array<cgsize_t, 3> point{7, 8, 9};
  check(cgp_ptlist_write_data(fn, 2, 2, writes ? point.data() : nullptr));
  std::array<cgsize_t, 3> found{};
  check(cgp_ptlist_read_data(fn, 2, 2, found.data()));
  EXPECT_EQ(found, point);
  std::vector<double> read(kCells);
  check(cgp_field_read_data(fn, 1, 1, 1, 3, low.data(), high.data(), read.data()));
  EXPECT_EQ(read, values);
  check(cgp_field_read_data(fn, 1, 1, 1, 4, low.data(), high.data(), read.data()));
  EXPECT_EQ(read.front(), 0.5);
  check(cgp_close(fn));
}

TEST_F(CgnsFieldsTest, ArraysInTheHeaderAreWrittenByRanks) {
  int fn = 0;
  int at = 0;
  const std::array<cgsize_t, 3> sizes{size(), 1, 0};
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  check(cg_base_write(fn, "Base", 3, 3, &at));
  check(cg_zone_write(fn, 1, "Zone", sizes.data(), Unstructured, &at));
  check(cg_sol_write(fn, 1, 1, "Solution", Vertex, &at));
  const std::vector<double> zeros(static_cast<std::size_t>(size()));
  check(cg_field_write(fn, 1, 1, 1, RealDouble, "Density", zeros.data(), &at));
  check(cgp_close(fn));
  check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
  const cgsize_t own = rank() + 1;
  const double value = rank() + 0.5;
  check(cgp_field_write_data(fn, 1, 1, 1, 1, &own, &own, &value));
  check(cgp_close(fn));
  check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
  const cgsize_t other = others().first + 1;
  double found = 0;
  check(cgp_field_read_data(fn, 1, 1, 1, 1, &other, &other, &found));
  EXPECT_EQ(found, static_cast<double>(other) - 0.5);
  check(cgp_close(fn));
}

TEST_F(CgnsFieldsTest, WhatFailsOnOneRankFailsOnAll) {
  const int fn = create(path(), size());
  const auto expect_error = [&](int status, const std::string& text) {
    EXPECT_EQ(status == CG_OK, false);
    for (const auto& error : everyones(std::string(cg_get_error())))
      EXPECT_NE(error.find(text), std::string::npos) << error;
  };
  const bool is_last = rank() == last();
  const std::array<cgsize_t, 3> low{1, 1, 1};
  const std::array<cgsize_t, 3> high{3, is_last ? 3 : 2, 1};
  std::vector<double> values(2 * kCells);
  expect_error(cgp_field_write_data(fn, 1, 1, 1, 1, low.data(), high.data(), values.data()),
               "range 1..3 of dimension 2 is not within 1..2");
  expect_error(
      cgp_field_read_data(fn, 1, 1, 1, is_last ? 9 : 1, low.data(), low.data(), values.data()),
      "index 9 of DataArray_t");
  go_to_arrays(fn);
  expect_error(cgp_array_write_data(is_last ? 5 : 1, low.data(), low.data(), values.data()),
               "index 5 of DataArray_t");
  const cgsize_t point = 1;
  if (!is_last) go_to_points(fn);
  expect_error(cgp_ptlist_write_data(fn, 1, 1, &point), "is at no list of points");
  go_to_points(fn);
  std::array<cgsize_t, 3> read{};
  expect_error(cgp_ptlist_read_data(fn, is_last ? 0 : 1, 1, read.data()),
               "range 0..1 of dimension 2");
  check(cgp_close(fn));
}

TEST_F(CgnsFieldsTest, ARankWithoutAPositionTakesPart) {
  const int fn = create(path(), size());
  const std::array<cgsize_t, 3> low{1, 1, 1};
  std::vector<double> values(2 * kCells);
  const auto expect_no_position = [&](int status) {
    EXPECT_EQ(status, CG_ERROR);
    EXPECT_NE(std::string(cg_get_error()).find("there is no current position"), std::string::npos);
  };
  const auto lose_on_last = [&](auto&& go) {
    go_to_arrays(fn);
    if (rank() == last()) {
      EXPECT_NE(go(), CG_OK);
    }
  };
  lose_on_last([&] { return cg_goto(fn, 1, "Zone_t", 9, "end"); });
  expect_no_position(cgp_array_write_data(1, low.data(), low.data(), values.data()));
  lose_on_last([&] { return cg_goto(fn, 9, "end"); });
  expect_no_position(cgp_array_read_data(1, low.data(), low.data(), values.data()));
  lose_on_last([&] { return cg_gopath(fn, "/Nowhere"); });
  expect_no_position(cgp_array_read_data(1, low.data(), low.data(), values.data()));
  lose_on_last([&] { return cg_gorel(fn, "Nowhere", 0, "end"); });
  expect_no_position(cgp_array_read_data(1, low.data(), low.data(), values.data()));
  lose_on_last([&] { return cg_goto(fn + 9, 1, "end"); });
  expect_no_position(cgp_array_read_data(1, low.data(), low.data(), values.data()));
  check(cgp_close(fn));
}

TEST_F(CgnsFieldsTest, NodesAreCheckedBeforeTheyAreMade) {
  const int fn = create(path(), size());
  int at = 0;
  const cgsize_t extent = 0;
  EXPECT_EQ(cgp_field_write(fn, 1, 1, 1, Character, "New", &at), CG_ERROR);
  EXPECT_EQ(cgp_field_write(fn, 1, 1, 1, RealSingle, "Density", &at), CG_ERROR);
  check(cgp_field_write(fn, 1, 1, 1, RealDouble, "Density", &at));
  EXPECT_EQ(at, 1);
  go_to_arrays(fn);
  EXPECT_EQ(cgp_array_write("New", RealDouble, 1, &extent, &at), CG_ERROR);
  EXPECT_EQ(cgp_array_write("Plain", RealDouble, 1, &extent, &at), CG_ERROR);
  int arrays = 0;
  check(cg_narrays(&arrays));
  EXPECT_EQ(arrays, 4);
  write(fn, mine());
  check(cgp_close(fn));
}

}  // namespace
}  // namespace onecast::test
