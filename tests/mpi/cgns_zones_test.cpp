// Ranks write and read different zones, or parts of one zone independently, as programs over zones
// do.
#include <pcgnslib.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "parallel_test.hpp"
#include "session/session.hpp"

namespace onecast::test {
namespace {

class CgnsZonesTest : public ParallelTest {
 protected:
  static constexpr cgsize_t kSide = 4;
  using Values = std::vector<double>;
  using Triple = std::array<cgsize_t, 3>;

  CgnsZonesTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }
  static void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }

  /// Returns the number of vertices in the third direction of a zone, counted from 1.
  static cgsize_t layers(int zone) { return 2 + zone; }
  static Triple high(int zone) { return {kSide, kSide, layers(zone)}; }
  static Values values(int zone, int array) {
    Values all(static_cast<std::size_t>(kSide * kSide * layers(zone)));
    std::iota(all.begin(), all.end(), 1000.0 * zone + 100'000.0 * array);
    return all;
  }

  /// Creates a file with this many zones, each with two coordinates and one field, without data.
  int create(int zones) const {
    int fn = 0;
    int base = 0;
    check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &base));
    for (int z = 1; z <= zones; ++z) {
      int zone = 0;
      int index = 0;
      int solution = 0;
      const std::array<cgsize_t, 9> sizes{kSide,         kSide, layers(z), kSide - 1, kSide - 1,
                                          layers(z) - 1, 0,     0,         0};
      check(cg_zone_write(fn, base, ("Zone" + std::to_string(z)).c_str(), sizes.data(), Structured,
                          &zone));
      check(cgp_coord_write(fn, base, zone, RealDouble, "CoordinateX", &index));
      check(cgp_coord_write(fn, base, zone, RealDouble, "CoordinateY", &index));
      check(cg_sol_write(fn, base, zone, "Solution", Vertex, &solution));
      check(cgp_field_write(fn, base, zone, solution, RealDouble, "Density", &index));
    }
    return fn;
  }
  int open(int mode) const {
    int fn = 0;
    check(cgp_open(path().c_str(), mode, &fn));
    return fn;
  }
  static void write_zone(int fn, int zone) {
    const Triple low{1, 1, 1};
    check(cgp_coord_write_data(fn, 1, zone, 1, low.data(), high(zone).data(),
                               values(zone, 1).data()));
    check(cgp_coord_write_data(fn, 1, zone, 2, low.data(), high(zone).data(),
                               values(zone, 2).data()));
    check(cgp_field_write_data(fn, 1, zone, 1, 1, low.data(), high(zone).data(),
                               values(zone, 3).data()));
  }
  /// Reads the zone on this rank alone.
  static void expect_zone(int fn, int zone) {
    const Triple low{1, 1, 1};
    Values read(values(zone, 1).size());
    check(cg_coord_read(fn, 1, zone, "CoordinateX", RealDouble, low.data(), high(zone).data(),
                        read.data()));
    EXPECT_EQ(read, values(zone, 1)) << zone;
    check(cg_coord_read(fn, 1, zone, "CoordinateY", RealDouble, low.data(), high(zone).data(),
                        read.data()));
    EXPECT_EQ(read, values(zone, 2)) << zone;
    check(cg_field_read(fn, 1, zone, 1, "Density", RealDouble, low.data(), high(zone).data(),
                        read.data()));
    EXPECT_EQ(read, values(zone, 3)) << zone;
  }
};

TEST_F(CgnsZonesTest, EachRankWritesAndReadsItsOwnZone) {
  const int fn = create(size());
  write_zone(fn, rank() + 1);
  check(cgp_close(fn));
  const int again = open(CG_MODE_READ);
  const Triple low{1, 1, 1};
  const int mine = (rank() + 1) % size() + 1;
  Values read(values(mine, 1).size());
  check(cgp_coord_read_data(again, 1, mine, 2, low.data(), high(mine).data(), read.data()));
  EXPECT_EQ(read, values(mine, 2));
  for (int zone = 1; zone <= size(); ++zone) expect_zone(again, zone);
  check(cgp_close(again));
}

TEST_F(CgnsZonesTest, TheBytesAreThoseOfOneProcess) {
  const int zones = size();
  int fn = create(zones);
  write_zone(fn, rank() + 1);
  check(cgp_close(fn));
  const std::string bytes = contents(path());
  if (rank() != 0) return;  // rank 0 alone writes the file anew
  cgp_mpi_comm(MPI_COMM_SELF);
  fn = create(zones);
  for (int zone = 1; zone <= zones; ++zone) write_zone(fn, zone);
  check(cgp_close(fn));
  EXPECT_TRUE(present_contents(path()) == bytes);
}

TEST_F(CgnsZonesTest, SeveralArraysInOneCallAndRanksWithoutAny) {
  const int fn = create(size());
  const int mine = rank() + 1;
  const Triple low{1, 1, 1};
  std::array<int, 2> indices{1, 2};
  const Values x = values(mine, 1);
  const Values y = values(mine, 2);
  std::array<const void*, 2> both{x.data(), y.data()};
  // The last rank calls with one array, the others with two.
  const int count = rank() == last() && size() > 1 ? 1 : 2;
  check(cgp_coord_multi_write_data(fn, 1, mine, indices.data(), low.data(), high(mine).data(),
                                   count, both.data()));
  check(cgp_coord_write_data(fn, 1, mine, 2, low.data(), high(mine).data(),
                             count == 1 ? y.data() : nullptr));
  check(cgp_field_write_data(fn, 1, mine, 1, 1, low.data(), high(mine).data(),
                             values(mine, 3).data()));
  check(cgp_close(fn));
  const int again = open(CG_MODE_READ);
  for (int zone = 1; zone <= size(); ++zone) expect_zone(again, zone);
  check(cgp_close(again));
}

TEST_F(CgnsZonesTest, CompressedZones) {
  check(cg_configure(CG_CONFIG_HDF5_COMPRESS, reinterpret_cast<void*>(std::intptr_t{3})));
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  int base = 0;
  check(cg_base_write(fn, "Base", 3, 3, &base));
  const cgsize_t cells = 20'000;
  for (int z = 1; z <= size(); ++z) {
    int zone = 0;
    int index = 0;
    const std::array<cgsize_t, 3> sizes{cells, 1, 0};
    check(cg_zone_write(fn, 1, ("Zone" + std::to_string(z)).c_str(), sizes.data(), Unstructured,
                        &zone));
    check(cgp_coord_write(fn, 1, zone, RealDouble, "CoordinateX", &index));
  }
  check(cg_configure(CG_CONFIG_HDF5_COMPRESS, nullptr));
  const cgsize_t low = 1;
  const Values mine(static_cast<std::size_t>(cells), 1.5 * rank());
  check(cgp_coord_write_data(fn, 1, rank() + 1, 1, &low, &cells, mine.data()));
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  const int next = (rank() + 1) % size();
  Values read(mine.size());
  check(cgp_coord_read_data(fn, 1, next + 1, 1, &low, &cells, read.data()));
  EXPECT_EQ(read, Values(mine.size(), 1.5 * next));
  check(cgp_close(fn));
  // Parts that ranks write independently are refused before anything is lost.
  if (size() == 1) return;
  fn = open(CG_MODE_MODIFY);
  const cgsize_t at = rank() + 1;
  int index = 0;
  EXPECT_EQ(
      cg_coord_partial_write(fn, 1, 1, RealDouble, "CoordinateX", &at, &at, mine.data(), &index),
      CG_ERROR);
  EXPECT_NE(std::string(cg_get_error()).find("is compressed"), std::string::npos);
  check(cgp_close(fn));
}

// --- partial writes ---------------------------------------------------------------------

TEST_F(CgnsZonesTest, PartialWritesAreEachRanksOwn) {
  for (const std::intptr_t level : {0, 3}) {
    check(cg_configure(CG_CONFIG_HDF5_COMPRESS, reinterpret_cast<void*>(level)));
    const cgsize_t each = 5000;
    const cgsize_t all = each * size();
    int fn = 0;
    int base = 0;
    int zone = 0;
    int index = 0;
    check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &base));
    const std::array<cgsize_t, 3> sizes{all, all, 0};
    check(cg_zone_write(fn, 1, "Zone", sizes.data(), Unstructured, &zone));
    const cgsize_t low = each * rank() + 1;
    const cgsize_t high = low + each - 1;
    Values mine(static_cast<std::size_t>(each));
    std::iota(mine.begin(), mine.end(), static_cast<double>(low));
    check(cg_coord_partial_write(fn, 1, 1, RealDouble, "CoordinateX", &low, &high, mine.data(),
                                 &index));
    const std::array<cgsize_t, 1> whole{each};
    const std::array<cgsize_t, 1> first{1};
    check(cg_coord_general_write(fn, 1, 1, "CoordinateY", RealSingle, &low, &high, RealDouble, 1,
                                 whole.data(), first.data(), whole.data(), mine.data(), &index));
    int solution = 0;
    check(cg_sol_write(fn, 1, 1, "Solution", CellCenter, &solution));
    check(cg_field_partial_write(fn, 1, 1, 1, RealDouble, "Density", &low, &high, mine.data(),
                                 &index));
    // Each rank writes parts of an existing array any number of times.
    const double one = -1;
    for (int i = 0; i < rank(); ++i)
      check(cg_field_partial_write(fn, 1, 1, 1, RealDouble, "Density", &low, &low, &one, &index));
    check(cgp_close(fn));
    fn = open(CG_MODE_READ);
    Values expected(static_cast<std::size_t>(all));
    std::iota(expected.begin(), expected.end(), 1.0);
    Values read(expected.size());
    const cgsize_t start = 1;
    for (const char* name : {"CoordinateX", "CoordinateY"}) {
      check(cg_coord_read(fn, 1, 1, name, RealDouble, &start, &all, read.data()));
      EXPECT_EQ(read, expected) << name;
    }
    for (int r = 1; r < size(); ++r) expected[static_cast<std::size_t>(each * r)] = -1;
    check(cg_field_read(fn, 1, 1, 1, "Density", RealDouble, &start, &all, read.data()));
    EXPECT_EQ(read, expected);
    check(cgp_close(fn));
    barrier();
  }
  check(cg_configure(CG_CONFIG_HDF5_COMPRESS, nullptr));
}

TEST_F(CgnsZonesTest, PartialWritesOfElements) {
  const cgsize_t each = 100;
  const cgsize_t all = each * size();
  int fn = 0;
  int base = 0;
  int zone = 0;
  int section = 0;
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  check(cg_base_write(fn, "Base", 3, 3, &base));
  const std::array<cgsize_t, 3> sizes{all, all, 0};
  check(cg_zone_write(fn, 1, "Zone", sizes.data(), Unstructured, &zone));
  check(cgp_section_write(fn, 1, 1, "Triangles", TRI_3, 1, all, 0, &section));
  const cgsize_t low = each * rank() + 1;
  const cgsize_t high = low + each - 1;
  std::vector<cgsize_t> nodes(static_cast<std::size_t>(3 * each));
  std::iota(nodes.begin(), nodes.end(), 3 * low);
  check(cg_elements_partial_write(fn, 1, 1, 1, low, high, nodes.data()));
  std::vector<cgsize_t> parents(static_cast<std::size_t>(4 * each), rank() + 1);
  check(cg_parent_data_partial_write(fn, 1, 1, 1, low, high, parents.data()));
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  std::vector<cgsize_t> read(static_cast<std::size_t>(3 * all));
  std::vector<cgsize_t> all_parents(static_cast<std::size_t>(4 * all));
  check(cg_elements_read(fn, 1, 1, 1, read.data(), all_parents.data()));
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], 3 + static_cast<cgsize_t>(i));
  for (std::size_t i = 0; i < all_parents.size(); ++i)
    ASSERT_EQ(all_parents[i], static_cast<cgsize_t>(i) % all / each + 1);
  check(cgp_close(fn));
}

// --- what cannot work ---------------------------------------------------------------------

TEST_F(CgnsZonesTest, DifferentNodesLeaveAReadableFile) {
  if (size() == 1) GTEST_SKIP();
  const int fn = create(1);
  check(cg_goto(fn, 1, "end"));
  check(cg_descriptor_write("Of", std::to_string(rank()).c_str()));
  EXPECT_EQ(cgp_close(fn), CG_ERROR);
  EXPECT_NE(std::string(cg_get_error()).find("different structural calls"), std::string::npos)
      << cg_get_error();
  barrier();
  const int again = open(CG_MODE_READ);
  int bases = 7;
  check(cg_nbases(again, &bases));
  EXPECT_EQ(bases, 0);
  check(cgp_close(again));
}

TEST_F(CgnsZonesTest, ElementsBeyondASectionAreTheSameOnAllRanks) {
  int fn = 0;
  int base = 0;
  int zone = 0;
  int section = 0;
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  check(cg_base_write(fn, "Base", 3, 3, &base));
  const std::array<cgsize_t, 3> sizes{10, 10, 0};
  check(cg_zone_write(fn, 1, "Zone", sizes.data(), Unstructured, &zone));
  check(cgp_section_write(fn, 1, 1, "Bars", BAR_2, 1, 10, 0, &section));
  std::vector<cgsize_t> nodes(20);
  std::iota(nodes.begin(), nodes.end(), 1);
  check(cg_elements_partial_write(fn, 1, 1, 1, 1, 10, nodes.data()));
  check(cg_elements_partial_write(fn, 1, 1, 1, 11, 12, nodes.data()));
  if (size() > 1) {
    const cgsize_t other = 13 + (rank() == last() ? 1 : 0);
    EXPECT_EQ(cg_elements_partial_write(fn, 1, 1, 1, other, other, nodes.data()), CG_ERROR);
    EXPECT_NE(std::string(cg_get_error()).find("equal arguments"), std::string::npos)
        << cg_get_error();
  }
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  std::vector<cgsize_t> read(24);
  check(cg_elements_read(fn, 1, 1, 1, read.data(), nullptr));
  nodes.insert(nodes.end(), {1, 2, 3, 4});
  EXPECT_EQ(read, nodes);
  check(cgp_close(fn));
}

TEST_F(CgnsZonesTest, ParentsOfOtherSectionsAreRefusedByTheCall) {
  if (size() == 1) GTEST_SKIP();
  int fn = 0;
  int base = 0;
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  check(cg_base_write(fn, "Base", 3, 3, &base));
  for (int z = 1; z <= 2; ++z) {
    int zone = 0;
    int section = 0;
    const std::array<cgsize_t, 3> sizes{10, 10, 0};
    check(cg_zone_write(fn, 1, ("Zone" + std::to_string(z)).c_str(), sizes.data(), Unstructured,
                        &zone));
    check(cgp_section_write(fn, 1, zone, "Triangles", TRI_3, 1, 10, 0, &section));
  }
  const std::vector<cgsize_t> parents(40);
  EXPECT_EQ(cgp_parent_data_write(fn, 1, rank() == 0 ? 1 : 2, 1, 1, 10, parents.data()), CG_ERROR);
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  int zones = 0;
  check(cg_nzones(fn, 1, &zones));
  EXPECT_EQ(zones, 2);
  check(cgp_close(fn));
}

}  // namespace
}  // namespace onecast::test
