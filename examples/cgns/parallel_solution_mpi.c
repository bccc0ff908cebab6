/* Ranks write a structured zone together: each its planes of the coordinates and of the solution.
 */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 21, NJ = 17, PLANES = 5 }; /* of each rank */

static double own[PLANES][NJ][NI];

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/* All ranks make the calls that create nodes with the same arguments; in calls that write data each
   passes its part. */
static void write_file(const char* name, int rank, int ranks) {
  const cgsize_t planes = (cgsize_t)PLANES * ranks;
  const cgsize_t sizes[9] = {NI, NJ, planes, NI - 1, NJ - 1, planes - 1, 0, 0, 0};
  const cgsize_t low[3] = {1, 1, (cgsize_t)PLANES * rank + 1};
  const cgsize_t high[3] = {NI, NJ, (cgsize_t)PLANES * (rank + 1)};
  const CGNS_ENUMT(DataType_t) type = CGNS_ENUMV(RealDouble);
  int file, base, zone, coordinate, solution, field;
  check(cgp_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cgp_coord_write(file, base, zone, type, "CoordinateX", &coordinate));
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  check(cgp_field_write(file, base, zone, solution, type, "Density", &field));
  check(cgp_coord_write_data(file, base, zone, coordinate, low, high, own));
  check(cgp_field_write_data(file, base, zone, solution, field, low, high, own));
  check(cgp_close(file));
}

/* Each rank reads the planes of the next one. */
static int is_as_written(const char* name, int next) {
  static double found[PLANES][NJ][NI];
  const cgsize_t low[3] = {1, 1, (cgsize_t)PLANES * next + 1};
  const cgsize_t high[3] = {NI, NJ, (cgsize_t)PLANES * (next + 1)};
  int file, same = 1;
  check(cgp_open(name, CG_MODE_READ, &file));
  check(cgp_field_read_data(file, 1, 1, 1, 1, low, high, found));
  check(cgp_close(file));
  for (int k = 0; k < PLANES; ++k) same = same && found[k][1][2] == next + 0.001 * (42 + k);
  return same;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int k = 0; k < PLANES; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) own[k][j][i] = rank + 0.001 * (21 * j * i + k);
  write_file("parallel_solution.cgns", rank, ranks);
  if (!is_as_written("parallel_solution.cgns", (rank + 1) % ranks)) {
    printf("rank %d finds other values\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
