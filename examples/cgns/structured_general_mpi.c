/* Ranks write and read a zone from larger memory: each has one ghost point around its planes, and
   numbers of another type than the file. The zone has rind. */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 9, NJ = 7, PLANES = 3, GHOSTS = 1 }; /* planes: of each rank */
enum { MI = NI + 2 * GHOSTS, MJ = NJ + 2 * GHOSTS, MK = PLANES + 2 * GHOSTS };

typedef float Memory[MK][MJ][MI];
static Memory x, y, found_x, found_y;
static double z[PLANES][NJ][NI], found_z[PLANES][NJ][NI];

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

static float x_at(int i, int j, int k, int rank) {
  return (float)(i + 100 * j + 10000 * (k + PLANES * rank));
}

static double z_at(int i, int j, int k, int rank) { return i + 10 * j + 100 * (k + PLANES * rank); }

static void fill(int rank) {
  for (int k = 0; k < MK; ++k)
    for (int j = 0; j < MJ; ++j)
      for (int i = 0; i < MI; ++i) {
        x[k][j][i] = x_at(i, j, k, rank);
        y[k][j][i] = -x[k][j][i];
      }
  for (int k = 0; k < PLANES; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) z[k][j][i] = z_at(i, j, k, rank);
}

/* The planes of a rank in the zone, and in its memory. */
typedef struct Part {
  cgsize_t low[3], high[3], memory[3], memory_low[3], memory_high[3];
} Part;

static Part part_of(int rank) {
  const Part part = {{1, 1, (cgsize_t)PLANES * rank + 1},
                     {NI, NJ, (cgsize_t)PLANES * (rank + 1)},
                     {MI, MJ, MK},
                     {GHOSTS + 1, GHOSTS + 1, GHOSTS + 1},
                     {GHOSTS + NI, GHOSTS + NJ, GHOSTS + PLANES}};
  return part;
}

static void write_file(const char* name, int rank, int ranks) {
  const Part part = part_of(rank);
  const cgsize_t planes = (cgsize_t)PLANES * ranks;
  const cgsize_t sizes[9] = {NI, NJ, planes, NI - 1, NJ - 1, planes - 1, 0, 0, 0};
  const char* names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  int file, base, zone, solution, field, coordinates[3];
  const int rind[6] = {0, 0, 0, 0, 1, 1};
  check(cgp_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  for (int i = 0; i < 3; ++i)
    check(cgp_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[i], coordinates + i));
  check(cgp_coord_general_write_data(file, base, zone, coordinates[0], part.low, part.high,
                                     CGNS_ENUMV(RealSingle), 3, part.memory, part.memory_low,
                                     part.memory_high, x));
  { /* two arrays in one call */
    const void* both[2] = {z, z};
    check(cgp_coord_multi_write_data(file, base, zone, coordinates + 1, part.low, part.high, 2,
                                     both));
  }
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  check(cg_goto(file, base, "Zone_t", zone, "FlowSolution_t", solution, "end"));
  check(cg_rind_write(rind)); /* a plane below the first and one above the last */
  check(cgp_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), "Pressure", &field));
  { /* the first and the last rank also write a plane of rind */
    Part own = part;
    if (rank == 0) --own.low[2], --own.memory_low[2];
    if (rank == ranks - 1) ++own.high[2], ++own.memory_high[2];
    check(cgp_field_general_write_data(file, base, zone, solution, field, own.low, own.high,
                                       CGNS_ENUMV(RealSingle), 3, own.memory, own.memory_low,
                                       own.memory_high, y));
  }
  check(cgp_close(file));
}

/* Each rank reads the planes of the next one. */
static int is_as_written(const char* name, int next) {
  const Part part = part_of(next);
  int file, same = 1, two[2] = {2, 3};
  static double other[PLANES][NJ][NI];
  void* both[2] = {found_z, other};
  check(cgp_open(name, CG_MODE_READ, &file));
  check(cgp_coord_general_read_data(file, 1, 1, 1, part.low, part.high, CGNS_ENUMV(RealSingle), 3,
                                    part.memory, part.memory_low, part.memory_high, found_x));
  check(cgp_coord_multi_read_data(file, 1, 1, two, part.low, part.high, 2, both));
  check(cgp_field_general_read_data(file, 1, 1, 1, 1, part.low, part.high, CGNS_ENUMV(RealSingle),
                                    3, part.memory, part.memory_low, part.memory_high, found_y));
  check(cgp_close(file));
  for (int k = 0; k < PLANES; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) {
        const float x_there = x_at(i + GHOSTS, j + GHOSTS, k + GHOSTS, next);
        const double z_there = z_at(i, j, k, next);
        same = same && found_x[k + GHOSTS][j + GHOSTS][i + GHOSTS] == x_there &&
               found_y[k + GHOSTS][j + GHOSTS][i + GHOSTS] == -x_there &&
               found_z[k][j][i] == z_there && other[k][j][i] == z_there;
      }
  same = same && found_x[0][0][0] == 0; /* ghost points stay unchanged */
  return same;
}

int main(int argc, char** argv) {
  const char* name = "structured_general.cgns";
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(cgp_mpi_comm(MPI_COMM_WORLD));
  check(cgp_mpi_info(MPI_INFO_NULL));
  check(cgp_pio_mode(CGP_COLLECTIVE));
  fill(rank);
  write_file(name, rank, ranks);
  if (!is_as_written(name, (rank + 1) % ranks)) {
    printf("rank %d finds other values\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
