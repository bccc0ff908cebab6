// Particles on several ranks: every function that moves their data, and equal bytes on any ranks
#include <pcgnslib.h>

#include <array>
#include <numeric>

#include "parallel_test.hpp"

namespace onecast::test {
namespace {

void check(int status) { ASSERT_EQ(status, CG_OK) << cg_get_error(); }

/// The particles of some ranks, `kEach` for each rank.
struct Share {
  static constexpr cgsize_t kEach = 6;

  cgsize_t first;
  cgsize_t last;

  static Share of(cgsize_t rank, cgsize_t ranks = 1) {
    return {kEach * rank + 1, kEach * (rank + ranks)};
  }
  [[nodiscard]] std::vector<double> values(double offset = 0) const {
    std::vector<double> values(static_cast<std::size_t>(last - first + 1));
    std::iota(values.begin(), values.end(), offset + static_cast<double>(first));
    return values;
  }
  /// Returns the values as float, in every second element in the middle of a larger array.
  [[nodiscard]] std::vector<float> padded() const {
    std::vector<float> memory(static_cast<std::size_t>(last - first + 3), -1);
    std::iota(memory.begin() + 1, memory.end() - 1, static_cast<float>(first));
    return memory;
  }
};

/// The functions for coordinates (with solution 0) or for the fields of a solution, which have
/// equal meanings.
struct Arrays {
  int fn;
  int solution;

  static constexpr int kBase = 1;
  static constexpr int kZone = 1;

  void create(DataType_t type, const char* name, int* index) const {
    check(solution == 0 ? cgp_particle_coord_write(fn, kBase, kZone, type, name, index)
                        : cgp_particle_field_write(fn, kBase, kZone, solution, type, name, index));
  }
  int write(int index, const Share& share, const void* data) const {
    return solution == 0 ? cgp_particle_coord_write_data(fn, kBase, kZone, index, &share.first,
                                                         &share.last, data)
                         : cgp_particle_field_write_data(fn, kBase, kZone, solution, index,
                                                         &share.first, &share.last, data);
  }
  int read(int index, const Share& share, void* data) const {
    return solution == 0 ? cgp_particle_coord_read_data(fn, kBase, kZone, index, &share.first,
                                                        &share.last, data)
                         : cgp_particle_field_read_data(fn, kBase, kZone, solution, index,
                                                        &share.first, &share.last, data);
  }
  /// Writes the elements [2, count - 1] of the memory as RealSingle.
  int write_padded(int index, const Share& share, const std::vector<float>& memory) const {
    const auto count = static_cast<cgsize_t>(memory.size());
    const cgsize_t low = 2;
    const cgsize_t high = count - 1;
    return solution == 0
               ? cgp_particle_coord_general_write_data(fn, kBase, kZone, index, &share.first,
                                                       &share.last, RealSingle, 1, &count, &low,
                                                       &high, memory.data())
               : cgp_particle_field_general_write_data(fn, kBase, kZone, solution, index,
                                                       &share.first, &share.last, RealSingle, 1,
                                                       &count, &low, &high, memory.data());
  }
  int read_padded(int index, const Share& share, std::vector<float>& memory) const {
    const auto count = static_cast<cgsize_t>(memory.size());
    const cgsize_t low = 2;
    const cgsize_t high = count - 1;
    return solution == 0
               ? cgp_particle_coord_general_read_data(fn, kBase, kZone, index, &share.first,
                                                      &share.last, RealSingle, 1, &count, &low,
                                                      &high, memory.data())
               : cgp_particle_field_general_read_data(fn, kBase, kZone, solution, index,
                                                      &share.first, &share.last, RealSingle, 1,
                                                      &count, &low, &high, memory.data());
  }
  int write_both(std::array<int, 2> indices, const Share& share,
                 std::array<const void*, 2> buffers) const {
    return solution == 0
               ? cgp_particle_coord_multi_write_data(fn, kBase, kZone, indices.data(), &share.first,
                                                     &share.last, 2, buffers.data())
               : cgp_particle_field_multi_write_data(fn, kBase, kZone, solution, indices.data(),
                                                     &share.first, &share.last, 2, buffers.data());
  }
  int read_both(std::array<int, 2> indices, const Share& share,
                std::array<void*, 2> buffers) const {
    return solution == 0
               ? cgp_particle_coord_multi_read_data(fn, kBase, kZone, indices.data(), &share.first,
                                                    &share.last, 2, buffers.data())
               : cgp_particle_field_multi_read_data(fn, kBase, kZone, solution, indices.data(),
                                                    &share.first, &share.last, 2, buffers.data());
  }
};

class CgnsParticlesTest : public ParallelTest {
 protected:
  CgnsParticlesTest() {
    cgp_mpi_comm(MPI_COMM_WORLD);
    cgp_pio_mode(CGP_COLLECTIVE);
  }

  /// Creates the particles of all ranks, with four coordinates and four fields. This process writes
  /// its share with calls of several kinds.
  static void write_particles(const std::string& file, cgsize_t all, const Share& share) {
    int fn = 0;
    int index = 0;
    check(cgp_open(file.c_str(), CG_MODE_WRITE, &fn));
    check(cg_base_write(fn, "Base", 3, 3, &index));
    check(cg_particle_write(fn, 1, "Drops", Share::kEach * all, &index));
    check(cg_particle_sol_write(fn, 1, 1, "Solution", &index));
    for (const int solution : {0, 1}) {
      const Arrays arrays{fn, solution};
      for (const char* name : {"A", "B", "C", "D"}) arrays.create(RealDouble, name, &index);
      ASSERT_EQ(index, 4);
      check(arrays.write(1, share, share.values().data()));
      check(arrays.write_padded(2, share, share.padded()));
      const auto third = share.values(0.25);
      const auto fourth = share.values(0.5);
      check(arrays.write_both({3, 4}, share, {third.data(), fourth.data()}));
    }
    check(cgp_close(fn));
  }
  void write_shares() const { write_particles(path(), size(), Share::of(rank())); }
};

TEST_F(CgnsParticlesTest, BytesDoNotDependOnTheRanks) {
  write_shares();
  if (rank() == 0) {
    cgp_mpi_comm(MPI_COMM_SELF);
    write_particles(path("alone.h5"), size(), Share::of(0, size()));
  }
  barrier();
  EXPECT_EQ(contents(path()), contents(path("alone.h5")));
}

TEST_F(CgnsParticlesTest, EachRankReadsTheShareOfAnother) {
  write_shares();
  const Share share = Share::of((rank() + 1) % size());
  for (const PIOmode_t mode : {CGP_COLLECTIVE, CGP_INDEPENDENT}) {
    cgp_pio_mode(mode);
    int fn = 0;
    check(cgp_open(path().c_str(), CG_MODE_READ, &fn));
    for (const int solution : {0, 1}) {
      const Arrays arrays{fn, solution};
      std::vector<double> values(share.values().size());
      check(arrays.read(1, share, values.data()));
      EXPECT_EQ(values, share.values());
      std::vector<float> padded(share.padded().size(), -1);
      check(arrays.read_padded(2, share, padded));
      EXPECT_EQ(padded, share.padded());
      std::vector<double> fourth(values.size());
      check(arrays.read_both({3, 4}, share, {values.data(), fourth.data()}));
      EXPECT_EQ(values, share.values(0.25));
      EXPECT_EQ(fourth, share.values(0.5));
    }
    check(cgp_close(fn));
  }
}

TEST_F(CgnsParticlesTest, RanksWithoutParticlesPassNull) {
  write_shares();
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
  const Share first = Share::of(0);
  const bool writes = rank() == last();
  for (const int solution : {0, 1}) {
    const Arrays arrays{fn, solution};
    const auto values = first.values(100);
    check(arrays.write(1, first, writes ? values.data() : nullptr));
    const void* buffer = writes ? values.data() : nullptr;
    check(arrays.write_both({2, 3}, first, {buffer, buffer}));
    for (const int index : {1, 2, 3}) {
      std::vector<double> read(values.size());
      check(arrays.read(index, first, read.data()));
      EXPECT_EQ(read, values);
    }
  }
  check(cgp_close(fn));
}

TEST_F(CgnsParticlesTest, WhatFailsOnOneRankFailsOnAll) {
  write_shares();
  int fn = 0;
  check(cgp_open(path().c_str(), CG_MODE_MODIFY, &fn));
  const bool is_last = rank() == last();
  const Share beyond = is_last ? Share::of(size()) : Share::of(rank());
  const auto values = beyond.values();
  for (const int solution : {0, 1}) {
    const Arrays arrays{fn, solution};
    EXPECT_EQ(arrays.write(1, beyond, values.data()), CG_ERROR);
    EXPECT_EQ(arrays.write(is_last ? 9 : 1, Share::of(rank()), values.data()), CG_ERROR);
    const auto texts = everyones(std::string(cg_get_error()));
    for (const auto& text : texts) EXPECT_EQ(text, texts.front());
    EXPECT_NE(texts.front().find("index 9 of DataArray_t"), std::string::npos) << texts.front();
  }
  check(cgp_close(fn));
}

/// With cg_open each rank has a file of its own, in both modes.
TEST_F(CgnsParticlesTest, DataGoesToFilesOfOneRank) {
  int fn = 0;
  int index = 0;
  const std::string file = path("serial" + std::to_string(rank()));
  check(cg_open(file.c_str(), CG_MODE_WRITE, &fn));
  check(cg_base_write(fn, "Base", 3, 3, &index));
  check(cg_particle_write(fn, 1, "Drops", 3, &index));
  const std::vector<double> values{1, 2, 3.5};
  const cgsize_t first = 1;
  const cgsize_t last = 3;
  for (const PIOmode_t mode : {CGP_INDEPENDENT, CGP_COLLECTIVE}) {
    check(cgp_pio_mode(mode));
    check(
        cgp_particle_coord_write(fn, 1, 1, RealDouble, mode == CGP_COLLECTIVE ? "A" : "B", &index));
    check(cgp_particle_coord_write_data(fn, 1, 1, index, &first, &last, values.data()));
  }
  check(cgp_close(fn));
  check(cg_open(file.c_str(), CG_MODE_READ, &fn));
  for (const int coordinate : {1, 2}) {
    std::vector<double> found(values.size());
    check(cgp_particle_coord_read_data(fn, 1, 1, coordinate, &first, &last, found.data()));
    EXPECT_EQ(found, values);
  }
  check(cgp_close(fn));
}

}  // namespace
}  // namespace onecast::test
