// Particles on ranks: each rank writes its part of the coordinates and of a solution, and reads
// that of the next rank. The file is the same on any number of ranks.

#include <pcgnslib.h>
#include <stdio.h>

enum { ALL = 1000, MOST = ALL };

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/// The particles of a rank: first and last, counted from 1.
static void part_of(int rank, int ranks, cgsize_t* first, cgsize_t* last) {
  *first = (cgsize_t)ALL * rank / ranks + 1;
  *last = (cgsize_t)ALL * (rank + 1) / ranks;
}

static double coordinate(int direction, cgsize_t particle) {
  return 1000.0 * direction + (double)particle;
}

static void write(const char* path, int rank, int ranks) {
  static const char* const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  static double x[3][MOST], radius[MOST];
  int file, base, particles, coordinates[3], solution, field;
  cgsize_t first, last;
  part_of(rank, ranks, &first, &last);
  for (cgsize_t i = first; i <= last; ++i) {
    for (int k = 0; k < 3; ++k) x[k][i - first] = coordinate(k, i);
    radius[i - first] = 0.5 / (double)i;
  }

  // All ranks create the nodes, with the same arguments.
  check(cgp_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_particle_write(file, base, "Drops", ALL, &particles));
  for (int k = 0; k < 3; ++k)
    check(cgp_particle_coord_write(file, base, particles, CGNS_ENUMV(RealDouble), names[k],
                                   &coordinates[k]));
  check(cg_particle_sol_write(file, base, particles, "Solution", &solution));
  check(cgp_particle_field_write(file, base, particles, solution, CGNS_ENUMV(RealDouble), "Radius",
                                 &field));

  // Each rank writes its part: three arrays in one call, and one in another.
  const void* buffers[3] = {x[0], x[1], x[2]};
  check(cgp_particle_coord_multi_write_data(file, base, particles, coordinates, &first, &last, 3,
                                            buffers));
  check(
      cgp_particle_field_write_data(file, base, particles, solution, field, &first, &last, radius));
  check(cgp_close(file));
}

/// Returns the number of coordinates that differ from those written.
static int compare(const char* path, int rank, int ranks) {
  static double y[MOST];
  int file, wrong = 0;
  char name[33];
  cgsize_t count, first, last;
  check(cgp_open(path, CG_MODE_READ, &file));
  check(cg_particle_read(file, 1, 1, name, &count));
  part_of((rank + 1) % ranks, ranks, &first, &last);
  check(cgp_particle_coord_read_data(file, 1, 1, 2, &first, &last, y));
  for (cgsize_t i = first; i <= last; ++i) wrong += y[i - first] != coordinate(1, i);
  check(cgp_close(file));
  if (rank == 0) printf("%s: %d particles\n", name, (int)count);
  return count == ALL ? wrong : 1;
}

int main(int argc, char** argv) {
  int rank, ranks, wrong;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  write("particles.cgns", rank, ranks);
  wrong = compare("particles.cgns", rank, ranks);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
