// CGNS files on ranks: what an open costs, transfers of all ranks, errors of one.
#include <pcgnslib.h>

#include <array>
#include <numeric>

#include "parallel_test.hpp"
#include "session/session.hpp"

namespace onecast::test {
namespace {

class CgnsTest : public ParallelTest {
 protected:
  static constexpr cgsize_t kRows = 5;  // of each rank

  CgnsTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }
  static void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }
  static IoStats stats(int fn) { return cgns::session().file(fn).tree->file().io_stats(); }

  /// A zone of `ranks` slabs; each of them is written by one of the `writers`, from `first` on.
  static void write_slabs(const std::string& file, cgsize_t ranks, cgsize_t first,
                          cgsize_t writers) {
    int fn = 0;
    int base = 0;
    int zone = 0;
    int index = 0;
    const std::array<cgsize_t, 9> sizes{4, 3, kRows * ranks, 3, 2, kRows * ranks - 1, 0, 0, 0};
    check(cgp_open(file.c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &base));
    check(cg_zone_write(fn, base, "Zone", sizes.data(), Structured, &zone));
    check(cgp_coord_write(fn, base, zone, RealDouble, "CoordinateX", &index));
    const std::array<cgsize_t, 3> low{1, 1, kRows * first + 1};
    const std::array<cgsize_t, 3> high{4, 3, kRows * (first + writers)};
    check(cgp_coord_write_data(fn, base, zone, index, low.data(), high.data(),
                               slab(first, writers).data()));
    check(cgp_close(fn));
  }
  static std::vector<double> slab(cgsize_t first, cgsize_t count) {
    std::vector<double> values(static_cast<std::size_t>(12 * kRows * count));
    std::iota(values.begin(), values.end(), static_cast<double>(12 * kRows * first));
    return values;
  }
};

TEST_F(CgnsTest, BytesDoNotDependOnTheRanks) {
  write_slabs(path(), size(), rank(), 1);
  if (rank() == 0) {
    cgp_mpi_comm(MPI_COMM_SELF);
    write_slabs(path("alone.h5"), size(), 0, size());
  }
  EXPECT_EQ(contents(path()), contents(path("alone.h5")));
}

TEST_F(CgnsTest, OpeningIsOneRanksWork) {
  write_slabs(path(), size(), rank(), 1);
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
  char name[33];
  std::array<cgsize_t, 9> sizes{};
  int coordinates = 0;
  check(cg_zone_read(fn, 1, 1, name, sizes.data()));
  check(cg_ncoords(fn, 1, 1, &coordinates));
  EXPECT_STREQ(name, "Zone");
  EXPECT_EQ(sizes[2], kRows * size());
  EXPECT_EQ(coordinates, 1);
  const IoStats opened = stats(fn);
  EXPECT_LE(opened.collectives, 6U);
  if (rank() == 0)
    EXPECT_EQ(opened.reads, 1U);
  else
    EXPECT_EQ(opened.opens + opened.reads, 0U);

  std::vector<double> values(static_cast<std::size_t>(12 * kRows));
  const cgsize_t other = (rank() + 1) % size();
  const std::array<cgsize_t, 3> low{1, 1, kRows * other + 1};
  const std::array<cgsize_t, 3> high{4, 3, kRows * (other + 1)};
  check(cgp_coord_read_data(fn, 1, 1, 1, low.data(), high.data(), values.data()));
  EXPECT_EQ(values, slab(other, 1));
  File file = cgns::session().file(fn).tree->file();
  const IoStats closing = counts(file, [&] { check(cgp_close(fn)); });
  EXPECT_EQ(closing.collectives + closing.writes + closing.reads, 0U);
}

TEST_F(CgnsTest, RanksWithoutDataPassNull) {
  write_slabs(path(), size(), rank(), 1);
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
  const std::array<cgsize_t, 3> low{1, 1, 1};
  const std::array<cgsize_t, 3> high{4, 3, 1};
  const std::vector<double> values(12, -1.0);
  const bool writes = rank() == last();
  check(
      cgp_coord_write_data(fn, 1, 1, 1, low.data(), high.data(), writes ? values.data() : nullptr));
  std::vector<double> read(12);
  check(cgp_coord_read_data(fn, 1, 1, 1, low.data(), high.data(), read.data()));
  EXPECT_EQ(read, values);
  check(cgp_close(fn));
}

TEST_F(CgnsTest, IndependentCallsNeedNoOtherRank) {
  write_slabs(path(), size(), rank(), 1);
  cgp_pio_mode(CGP_INDEPENDENT);
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
  if (rank() == last()) {
    std::vector<double> values(static_cast<std::size_t>(12 * kRows * size()));
    const std::array<cgsize_t, 3> low{1, 1, 1};
    const std::array<cgsize_t, 3> high{4, 3, kRows * size()};
    check(cgp_coord_read_data(fn, 1, 1, 1, low.data(), high.data(), values.data()));
    EXPECT_EQ(values, slab(0, size()));
  }
  check(cgp_close(fn));
}

TEST_F(CgnsTest, WhatFailsOnOneRankFailsOnAll) {
  write_slabs(path(), size(), rank(), 1);
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
  const std::array<cgsize_t, 3> low{1, 1, 1};
  const std::array<cgsize_t, 3> high{4, 3, rank() == last() ? kRows * size() + 1 : 1};
  std::vector<double> values(static_cast<std::size_t>(12 * (kRows * size() + 1)));
  EXPECT_EQ(cgp_coord_write_data(fn, 1, 1, 1, low.data(), high.data(), values.data()), CG_ERROR);
  const auto texts = everyones(std::string(cg_get_error()));
  for (const auto& text : texts) {
    EXPECT_EQ(text, texts.front());
    EXPECT_NE(text.find("cgp_coord_write_data: "), std::string::npos) << text;
    EXPECT_NE(text.find("dimension 3 is not within"), std::string::npos) << text;
  }
  check(cgp_close(fn));
}

}  // namespace
}  // namespace onecast::test
