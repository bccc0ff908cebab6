// Sections of elements that ranks write and read in parts
#include <pcgnslib.h>

#include <filesystem>
#include <numeric>

#include "parallel_test.hpp"
#include "session/session.hpp"

namespace onecast::test {
namespace {

using Numbers = std::vector<cgsize_t>;

/// A rank's part of a section.
struct Piece {
  cgsize_t start = 0, end = -1;
  Numbers entries, offsets, parents;

  [[nodiscard]] const cgsize_t* data() const { return end < start ? nullptr : entries.data(); }
};

class CgnsElementsTest : public ParallelTest {
 protected:
  static constexpr int kTriangles = 1;
  static constexpr int kPolygons = 2;

  CgnsElementsTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }
  static void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }

  /// Rank r has r elements, so rank 0 has none.
  [[nodiscard]] cgsize_t total() const { return size() * (size() - 1) / 2 + 1; }
  [[nodiscard]] Piece all_of(cgsize_t first, cgsize_t count, bool is_polygons) const {
    Piece piece{first, first + count - 1, {}, {}, {}};
    cgsize_t offset = 0;
    for (cgsize_t element = 1; element < first + count; ++element) {
      const cgsize_t nodes = is_polygons ? 3 + element % 4 : 3;
      if (element == first) piece.offsets.push_back(offset);
      for (cgsize_t i = 0; element >= first && i < nodes; ++i)
        piece.entries.push_back(100 * element + i);
      offset += nodes;
      if (element >= first) piece.offsets.push_back(offset);
    }
    for (const cgsize_t column : {1, 2, 3, 4})
      for (cgsize_t element = piece.start; element <= piece.end; ++element)
        piece.parents.push_back(1000 * column + element);
    return piece;
  }
  [[nodiscard]] Piece piece_of(int rank, bool is_polygons) const {
    const cgsize_t first = rank * (rank - 1) / 2 + 1;
    return all_of(first, rank == last() ? total() - first + 1 : rank, is_polygons);
  }

  int open(int mode) {
    int fn = 0;
    check(cgp_open(path().c_str(), mode, &fn));
    return fn;
  }

  /// Writes triangles with parents, and polygons.
  static void write(const std::string& file, const Piece& triangles, const Piece& polygons,
                    cgsize_t total, cgsize_t entries) {
    int fn = 0;
    int base = 0;
    int zone = 0;
    int section = 0;
    const std::array<cgsize_t, 3> sizes{100, 10, 0};
    check(cgp_open(file.c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &base));
    check(cg_zone_write(fn, base, "Zone", sizes.data(), Unstructured, &zone));
    check(cgp_section_write(fn, 1, 1, "Triangles", TRI_3, 1, total, 0, &section));
    EXPECT_EQ(section, kTriangles);
    check(cgp_poly_section_write(fn, 1, 1, "Polygons", NGON_n, 1, total, entries, 0, &section));
    EXPECT_EQ(section, kPolygons);
    check(cgp_elements_write_data(fn, 1, 1, kTriangles, triangles.start, triangles.end,
                                  triangles.data()));
    check(cgp_parent_data_write(fn, 1, 1, kTriangles, triangles.start, triangles.end,
                                triangles.data() ? triangles.parents.data() : nullptr));
    check(cgp_poly_elements_write_data(fn, 1, 1, kPolygons, polygons.start, polygons.end,
                                       polygons.data(), polygons.offsets.data()));
    check(cgp_close(fn));
  }
  void write_in_parts() {
    const Piece everything = all_of(1, total(), true);
    write(path(), piece_of(rank(), false), piece_of(rank(), true), total(),
          everything.offsets.back());
  }
  void read_pieces_of(int other) {
    const int fn = open(CG_MODE_READ);
    const Piece triangles = piece_of(other, false);
    const Piece polygons = piece_of(other, true);
    Numbers nodes(triangles.entries.size() + 1);
    check(cgp_elements_read_data(fn, 1, 1, kTriangles, triangles.start, triangles.end,
                                 triangles.data() ? nodes.data() : nullptr));
    nodes.pop_back();
    EXPECT_EQ(nodes, triangles.entries);
    Numbers parents(triangles.parents.size() / 2 + 1);
    check(cgp_parentelements_read_data(fn, 1, 1, kTriangles, triangles.start, triangles.end,
                                       triangles.data() ? parents.data() : nullptr));
    parents.pop_back();
    EXPECT_TRUE(std::ranges::equal(parents, std::span(triangles.parents).first(parents.size())));
    read_polygons(fn, polygons);
    check(cgp_close(fn));
  }
  static void read_polygons(int fn, const Piece& expected) {
    Numbers offsets(expected.offsets.size());
    check(cgp_poly_elements_read_data_offsets(fn, 1, 1, kPolygons, expected.start, expected.end,
                                              expected.data() ? offsets.data() : nullptr));
    EXPECT_EQ(offsets, expected.offsets);
    Numbers nodes(expected.entries.size() + 1);
    check(cgp_poly_elements_read_data_elements(fn, 1, 1, kPolygons, expected.start, expected.end,
                                               offsets.data(),
                                               expected.data() ? nodes.data() : nullptr));
    nodes.pop_back();
    EXPECT_EQ(nodes, expected.entries);
  }
  /// Expects that all ranks get the error with this text.
  void expect_error_of_all(int status, const std::string& text) {
    EXPECT_NE(status, CG_OK);
    for (const std::string& error : everyones(std::string(cg_get_error())))
      EXPECT_NE(error.find(text), std::string::npos) << error;
  }
};

TEST_F(CgnsElementsTest, BytesDoNotDependOnTheRanks) {
  write_in_parts();
  const std::string together = contents(path());
  cgp_pio_mode(CGP_INDEPENDENT);
  write_in_parts();
  EXPECT_TRUE(contents(path()) == together);
  if (rank() == 0) {
    cgp_mpi_comm(MPI_COMM_SELF);
    const Piece polygons = all_of(1, total(), true);
    write(path("alone.h5"), all_of(1, total(), false), polygons, total(), polygons.offsets.back());
  }
  EXPECT_TRUE(contents(path("alone.h5")) == together);
}

TEST_F(CgnsElementsTest, RanksReadWhatOthersWrote) {
  write_in_parts();
  read_pieces_of((rank() + 1) % size());
  cgp_pio_mode(CGP_INDEPENDENT);
  read_pieces_of((rank() + 1) % size());
}

TEST_F(CgnsElementsTest, OneRankAloneReadsIndependently) {
  write_in_parts();
  cgp_pio_mode(CGP_INDEPENDENT);
  const int fn = open(CG_MODE_READ);
  if (rank() == last()) read_polygons(fn, all_of(1, total(), true));
  check(cgp_close(fn));
}

TEST_F(CgnsElementsTest, WhatFailsOnOneRankFailsOnAll) {
  write_in_parts();
  const int fn = open(CG_MODE_MODIFY);
  const bool is_wrong = rank() == last();
  const Numbers numbers(100);
  const cgsize_t end = is_wrong ? total() + 1 : 1;
  const std::string outside = "are not within 1.." + std::to_string(total());
  expect_error_of_all(cgp_elements_write_data(fn, 1, 1, kTriangles, 1, end, numbers.data()),
                      outside);
  const Numbers offsets{is_wrong ? -1 : 0, 3};
  expect_error_of_all(
      cgp_poly_elements_write_data(fn, 1, 1, kPolygons, 1, 1, numbers.data(), offsets.data()),
      "the offsets do not ascend within 0..");
  expect_error_of_all(
      cgp_elements_write_data(fn, 1, 1, is_wrong ? kPolygons : kTriangles, 1, 1, numbers.data()),
      "NGON_n has elements of varying size");
  // The old parents are still there, and there are no new ones.
  for (const int section : {kTriangles, kPolygons})
    expect_error_of_all(cgp_parent_data_write(fn, 1, 1, section, 1, end, numbers.data()), outside);
  check(cgp_parentelements_read_data(fn, 1, 1, kTriangles, 1, 1, nullptr));
  expect_error_of_all(cgp_parentelements_read_data(fn, 1, 1, kPolygons, 1, 1, nullptr),
                      "has no ParentElements");
  check(cgp_close(fn));
}

TEST_F(CgnsElementsTest, WrongSectionsAreRefused) {
  const auto refused = [](int status, const std::string& text) {
    EXPECT_EQ(status, CG_ERROR);
    EXPECT_NE(std::string(cg_get_error()).find(text), std::string::npos) << cg_get_error();
  };
  write_in_parts();
  const int fn = open(CG_MODE_MODIFY);
  int index = 0;
  refused(cgp_section_write(fn, 1, 1, "S", MIXED, 1, 2, 0, &index),
          "MIXED has elements of varying");
  refused(cgp_section_write(fn, 1, 1, "S", TRI_3, 2, 1, 0, &index), "has elements 2..1");
  refused(cgp_poly_section_write(fn, 1, 1, "S", TRI_3, 1, 2, 9, 0, &index), "TRI_3 is none of");
  refused(cgp_poly_section_write(fn, 1, 1, "S", NGON_n, 1, 2, 3, 0, &index), "too few for 2");
  refused(cgp_poly_elements_write_data(fn, 1, 1, kTriangles, 1, 1, nullptr, nullptr),
          "TRI_3 is none of");
  check(cgp_close(fn));
  refused(cgp_elements_read_data(fn, 1, 1, 1, 1, 1, nullptr), "no file is open with number");
}

TEST_F(CgnsElementsTest, ParentElementsAlone) {
  write_in_parts();
  int fn = open(CG_MODE_MODIFY);
  const Piece piece = piece_of(rank(), true);
  Numbers parents = piece.parents;
  cgsize_t* mine = piece.data() == nullptr ? nullptr : parents.data();
  check(cgp_parentelements_write_data(fn, 1, 1, kPolygons, piece.start, piece.end, mine));
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  Numbers found(parents.size() / 2 + 1);
  check(cgp_parentelements_read_data(fn, 1, 1, kPolygons, piece.start, piece.end,
                                     mine == nullptr ? nullptr : found.data()));
  found.pop_back();
  EXPECT_TRUE(std::ranges::equal(found, std::span(parents).first(found.size())));
  check(cgp_close(fn));
}

TEST_F(CgnsElementsTest, NumbersBeyond32Bits) {
  constexpr cgsize_t kLast = (cgsize_t{1} << 32) + 1000;
  int fn = open(CG_MODE_WRITE);
  int index = 0;
  const std::array<cgsize_t, 3> sizes{kLast, kLast, 0};
  check(cg_base_write(fn, "Base", 3, 3, &index));
  check(cg_zone_write(fn, 1, "Zone", sizes.data(), Unstructured, &index));
  check(cgp_section_write(fn, 1, 1, "Nodes", NODE, 1, kLast, 0, &index));
  const Numbers mine{kLast - rank(), rank()};
  const cgsize_t start = kLast - 2 * rank() - 1;
  check(cgp_elements_write_data(fn, 1, 1, 1, start, start + 1, mine.data()));
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  Numbers read(2);
  check(cgp_elements_read_data(fn, 1, 1, 1, start, start + 1, read.data()));
  EXPECT_EQ(read, mine);
  check(cgp_close(fn));
  // The file has 32 GiB, mostly holes, so it is removed before it would be checked.
  barrier();
  if (rank() == 0) std::filesystem::remove(path());
}

TEST_F(CgnsElementsTest, SectionsGrowOnAllRanks) {
  write_in_parts();
  int fn = open(CG_MODE_MODIFY);
  const Numbers nodes{7, 8, 9};
  const Numbers offsets{0, 3};
  const cgsize_t after = total() + 2;
  check(cg_elements_partial_write(fn, 1, 1, kTriangles, after, after, nodes.data()));
  check(cg_poly_elements_partial_write(fn, 1, 1, kPolygons, after, after, nodes.data(),
                                       offsets.data()));
  check(cgp_close(fn));
  fn = open(CG_MODE_READ);
  Numbers found(3);
  check(cgp_elements_read_data(fn, 1, 1, kTriangles, after, after, found.data()));
  EXPECT_EQ(found, nodes);
  read_polygons(fn, piece_of(last(), true));
  check(cgp_close(fn));
}

/// Stores polygons as versions before 4.0 did, each with its number of nodes.
void make_old(int fn, const Piece& polygons) {
  cgns::Tree& tree = *cgns::session().file(fn).tree;
  cgns::Node& zone = *tree.root().find("Base")->find("Zone");
  cgns::Node& section = *zone.find("Polygons");
  Numbers stored;
  for (std::size_t i = 0; i + 1 < polygons.offsets.size(); ++i) {
    const cgsize_t begin = polygons.offsets[i];
    const cgsize_t end = polygons.offsets[i + 1];
    stored.push_back(end - begin);
    stored.insert(stored.end(), polygons.entries.begin() + begin, polygons.entries.begin() + end);
  }
  tree.remove(*section.find("ElementStartOffset"));
  tree.write_value(*section.find("ElementConnectivity"), cgns::Value::numbers<cgsize_t>(stored));
  const float version = 3.3F;
  tree.write_value(*tree.root().find("CGNSLibraryVersion"), cgns::Value::number(version));
}

TEST_F(CgnsElementsTest, PolygonsOfOldVersionsAreReadByRanks) {
  write_in_parts();
  const int fn = open(CG_MODE_MODIFY);
  make_old(fn, all_of(1, total(), true));
  check(cgp_close(fn));
  const int again = open(CG_MODE_READ);
  read_polygons(again, piece_of((rank() + 1) % size(), true));
  check(cgp_close(again));
}

}  // namespace
}  // namespace onecast::test
