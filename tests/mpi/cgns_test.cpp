// CGNS files on several ranks: the cost of an open, transfers of all ranks, errors of one rank
#include <pcgnslib.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "parallel_test.hpp"
#include "session/session.hpp"
#include "support/corpus.hpp"

namespace onecast::test {
namespace {

class CgnsTest : public ParallelTest {
 protected:
  cgsize_t rows_ = 5;  // the rows of each rank

  CgnsTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }
  static void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }
  static IoStats stats(int fn) { return cgns::session().file(fn).tree->file().io_stats(); }

  /// Creates a zone of `ranks` slabs. This process writes `writers` of them, from slab `first` on.
  void write_slabs(const std::string& file, cgsize_t ranks, cgsize_t first,
                   cgsize_t writers) const {
    int fn = 0;
    int base = 0;
    int zone = 0;
    int index = 0;
    const std::array<cgsize_t, 9> sizes{4, 3, rows_ * ranks, 3, 2, rows_ * ranks - 1, 0, 0, 0};
    check(cgp_open(file.c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &base));
    check(cg_zone_write(fn, base, "Zone", sizes.data(), Structured, &zone));
    check(cgp_coord_write(fn, base, zone, RealDouble, "CoordinateX", &index));
    const std::array<cgsize_t, 3> low{1, 1, rows_ * first + 1};
    const std::array<cgsize_t, 3> high{4, 3, rows_ * (first + writers)};
    check(cgp_coord_write_data(fn, base, zone, index, low.data(), high.data(),
                               slab(first, writers).data()));
    check(cgp_close(fn));
  }
  /// Opens the file and reads bases, zones and names of coordinates. Rank 0 alone reads the file.
  void walk_and_count(const std::string& file, int mode) const {
    int fn = 0;
    check(cgp_open(file.c_str(), mode, &fn));
    int bases = 0;
    check(cg_nbases(fn, &bases));
    for (int base = 1; base <= bases; ++base) {
      int zones = 0;
      check(cg_nzones(fn, base, &zones));
      for (int zone = 1; zone <= zones; ++zone) {
        char name[33];
        std::array<cgsize_t, 9> sizes{};
        int coordinates = 0;
        ZoneType_t type{};
        check(cg_zone_read(fn, base, zone, name, sizes.data()));
        check(cg_zone_type(fn, base, zone, &type));
        check(cg_ncoords(fn, base, zone, &coordinates));
      }
    }
    const IoStats opened = stats(fn);
    EXPECT_LE(opened.collectives, 6U) << "mode " << mode;
    if (rank() != 0) {
      EXPECT_EQ(opened.opens + opened.reads, 0U) << "mode " << mode;
    }
    check(cgp_close(fn));
  }
  [[nodiscard]] std::vector<double> slab(cgsize_t first, cgsize_t count) const {
    std::vector<double> values(static_cast<std::size_t>(12 * rows_ * count));
    std::iota(values.begin(), values.end(), static_cast<double>(12 * rows_ * first));
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

TEST_F(CgnsTest, CompressedBytesDoNotDependOnTheRanks) {
  rows_ = 5000;  // so chunks of 1 MiB hold data of several ranks
  const auto compress = [&](std::intptr_t level) {
    check(cg_configure(CG_CONFIG_HDF5_COMPRESS, reinterpret_cast<void*>(level)));
  };
  compress(5);
  write_slabs(path(), size(), rank(), 1);
  if (rank() == 0) {
    cgp_mpi_comm(MPI_COMM_SELF);
    write_slabs(path("alone.h5"), size(), 0, size());
  }
  cgp_mpi_comm(MPI_COMM_WORLD);
  const std::string bytes = contents(path());
  EXPECT_EQ(bytes, contents(path("alone.h5")));
  compress(0);
  // The ranks read other parts than they wrote.
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
  const cgsize_t other = last() - rank();
  const std::array<cgsize_t, 3> low{1, 1, rows_ * other + 1};
  const std::array<cgsize_t, 3> high{4, 3, rows_ * (other + 1)};
  std::vector<double> values(static_cast<std::size_t>(12 * rows_));
  check(cgp_coord_read_data(fn, 1, 1, 1, low.data(), high.data(), values.data()));
  EXPECT_TRUE(values == slab(other, 1));
  const Dataset data = cgns::session().file(fn).tree->file().root().open_dataset(
      "Base/Zone/GridCoordinates/CoordinateX/ data");
  EXPECT_EQ(data.layout(), Layout::chunked);
  check(cgp_close(fn));
}

TEST_F(CgnsTest, IndependentRanksShareNoCompressedChunk) {
  rows_ = 1000;  // so there is one chunk
  check(cg_configure(CG_CONFIG_HDF5_COMPRESS, reinterpret_cast<void*>(1)));
  int fn = 0;
  int base = 0;
  int zone = 0;
  int index = 0;
  const std::array<cgsize_t, 9> sizes{4, 3, rows_, 3, 2, rows_ - 1, 0, 0, 0};
  check(cgp_open(path().c_str(), CG_MODE_WRITE, &fn));
  check(cg_configure(CG_CONFIG_HDF5_COMPRESS, nullptr));
  check(cg_base_write(fn, "Base", 3, 3, &base));
  check(cg_zone_write(fn, base, "Zone", sizes.data(), Structured, &zone));
  check(cgp_coord_write(fn, base, zone, RealDouble, "CoordinateX", &index));
  cgp_pio_mode(CGP_INDEPENDENT);
  const std::array<cgsize_t, 3> low{1, 1, rank() + 1};
  const std::array<cgsize_t, 3> high{4, 3, rank() + 1};
  const std::vector<double> values(12, 1.0);
  check(cgp_coord_write_data(fn, base, zone, index, low.data(), high.data(), values.data()));
  const int status = cgp_close(fn);
  if (size() == 1) return check(status);
  EXPECT_EQ(status, CG_ERROR);
  const std::string text = cg_get_error();
  EXPECT_NE(text.find("CoordinateX/ data: chunk at (0, 0, 0): ranks 0"), std::string::npos) << text;
}

TEST_F(CgnsTest, CommunicatorsAreConfigured) {
  MPI_Comm self = MPI_COMM_SELF;
  check(cg_configure(CG_CONFIG_HDF5_MPI_COMM, &self));
  write_slabs(path("of " + std::to_string(rank())), 1, 0, 1);
  MPI_Comm none = MPI_COMM_NULL;
  EXPECT_EQ(cg_configure(CG_CONFIG_HDF5_MPI_COMM, &none), CG_ERROR);
  cgp_mpi_comm(MPI_COMM_WORLD);
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
  EXPECT_EQ(sizes[2], rows_ * size());
  EXPECT_EQ(coordinates, 1);
  const IoStats opened = stats(fn);
  EXPECT_LE(opened.collectives, 6U);
  if (rank() == 0)
    EXPECT_EQ(opened.reads, 1U);
  else
    EXPECT_EQ(opened.opens + opened.reads, 0U);

  std::vector<double> values(static_cast<std::size_t>(12 * rows_));
  const cgsize_t other = (rank() + 1) % size();
  const std::array<cgsize_t, 3> low{1, 1, rows_ * other + 1};
  const std::array<cgsize_t, 3> high{4, 3, rows_ * (other + 1)};
  check(cgp_coord_read_data(fn, 1, 1, 1, low.data(), high.data(), values.data()));
  EXPECT_EQ(values, slab(other, 1));
  File file = cgns::session().file(fn).tree->file();
  const IoStats closing = counts(file, [&] { check(cgp_close(fn)); });
  EXPECT_EQ(closing.collectives + closing.writes + closing.reads, 0U);
}

// In files of other libraries small values lie outside of the metadata. The open reads them, too.
TEST_F(CgnsTest, OpeningOtherLibrariesFilesIsOneRanksWorkToo) {
  const auto files = corpus_files("cgns");
  if (files.empty()) GTEST_SKIP() << "no corpus";
  for (const auto& original : files) {
    SCOPED_TRACE(original.filename());
    if (rank() == 0) std::filesystem::copy_file(original, path(original.filename()));
    barrier();
    // The last two opens find the page list that the second one wrote.
    for (const int mode : {CG_MODE_READ, CG_MODE_MODIFY, CG_MODE_READ, CG_MODE_MODIFY})
      walk_and_count(path(original.filename()), mode);
  }
}

// Each session writes other data, of another size.
TEST_F(CgnsTest, SpaceOfDeletedNodesIsUsedAgain) {
  const int rounds = size() == 4 ? 200 : 20;
  const auto round = [&](int number) {
    const std::string name = "Coordinate" + std::to_string(number);
    const cgsize_t rows = 100 * (1 + number % 5);
    int fn = 0;
    int index = 0;
    check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
    check(cg_goto(fn, 1, "end"));
    check(cg_delete_node("Zone"));
    const std::array<cgsize_t, 9> sizes{4, 3, rows * size(), 3, 2, rows * size() - 1, 0, 0, 0};
    check(cg_zone_write(fn, 1, "Zone", sizes.data(), Structured, &index));
    check(cgp_coord_write(fn, 1, 1, RealDouble, name.c_str(), &index));
    const std::array<cgsize_t, 3> low{1, 1, rows * rank() + 1};
    const std::array<cgsize_t, 3> high{4, 3, rows * (rank() + 1)};
    const std::vector<double> values(static_cast<std::size_t>(12 * rows), number);
    check(cgp_coord_write_data(fn, 1, 1, 1, low.data(), high.data(), values.data()));
    check(cgp_close(fn));
  };
  write_slabs(path(), size(), rank(), 1);
  std::uintmax_t early = 0;
  for (int number = 1; number <= rounds; ++number) {
    round(number);
    const std::uintmax_t now = std::filesystem::file_size(path());
    if (number <= 10) early = std::max(early, now);
  }
  barrier();
  EXPECT_LE(std::filesystem::file_size(path()), early + early / 8);
  // The old data stays until the new data is complete, and free space may be fragmented.
  const std::uintmax_t largest = std::uintmax_t{8} * 12 * 500 * static_cast<unsigned>(size());
  EXPECT_LE(early, 3 * largest + (std::uintmax_t{64} << 10U));
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
    std::vector<double> values(static_cast<std::size_t>(12 * rows_ * size()));
    const std::array<cgsize_t, 3> low{1, 1, 1};
    const std::array<cgsize_t, 3> high{4, 3, rows_ * size()};
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
  const std::array<cgsize_t, 3> high{4, 3, rank() == last() ? rows_ * size() + 1 : 1};
  std::vector<double> values(static_cast<std::size_t>(12 * (rows_ * size() + 1)));
  EXPECT_EQ(cgp_coord_write_data(fn, 1, 1, 1, low.data(), high.data(), values.data()), CG_ERROR);
  const auto texts = everyones(std::string(cg_get_error()));
  for (const auto& text : texts) {
    EXPECT_EQ(text, texts.front());
    EXPECT_NE(text.find("cgp_coord_write_data: "), std::string::npos) << text;
    EXPECT_NE(text.find("dimension 3 is not within"), std::string::npos) << text;
  }
  check(cgp_close(fn));
}

// This also runs on one process: the agreement of the ranks keeps the number that a function
// returns.
TEST_F(CgnsTest, StatusesAreThoseOfOneProcess) {
  write_slabs(path(), size(), rank(), 1);
  for (const PIOmode_t mode : {CGP_COLLECTIVE, CGP_INDEPENDENT}) {
    cgp_pio_mode(mode);
    int fn = 0;
    check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
    const std::array<cgsize_t, 3> low{1, 1, 1};
    std::array<double, 1> value{};
    EXPECT_EQ(cgp_coord_write_data(fn, 1, 9, 1, low.data(), low.data(), value.data()), CG_ERROR);
    int zone = 0;
    const std::array<cgsize_t, 9> sizes{2, 2, 2, 1, 1, 1, 0, 0, 0};
    check(cg_zone_write(fn, 1, "bare", sizes.data(), Structured, &zone));
    EXPECT_EQ(cgp_coord_write_data(fn, 1, zone, 1, low.data(), low.data(), value.data()),
              CG_NODE_NOT_FOUND)
        << cg_get_error();
    check(cgp_close(fn));
  }
}

}  // namespace
}  // namespace onecast::test
