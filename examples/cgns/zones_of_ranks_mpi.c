/* Ranks share many zones: the planes of all zones form a row, and each rank has a part of that row,
   which may be several zones or a part of one. The file is the same on any number of ranks. */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { ZONES = 6, NI = 5, NJ = 4, NK = 3, ALL = ZONES * NK };

typedef double Plane[NJ][NI];
static Plane own[ALL], found[ALL];

static int rank, ranks;

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/* The planes of a rank in a zone, counted from 1, and their beginning in its memory. */
typedef struct Part {
  cgsize_t low[3], high[3];
  int begin, count;
} Part;

static Part part_of(int of_rank, int zone) {
  const int first = ALL * of_rank / ranks, end = ALL * (of_rank + 1) / ranks;
  const int zone_first = NK * (zone - 1), zone_end = NK * zone;
  const int low = first > zone_first ? first : zone_first;
  const int high = end < zone_end ? end : zone_end;
  const Part part = {
      {1, 1, low - zone_first + 1}, {NI, NJ, high - zone_first}, low - first, high - low};
  return part;
}

static double value_at(int i, int j, int plane) { return i + 10 * j + 100 * plane; }

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int file, base, coordinate, solution, field;
  check(cgp_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  for (int z = 1; z <= ZONES; ++z) {
    char zone_name[33];
    int zone;
    sprintf(zone_name, "Zone%d", z);
    check(cg_zone_write(file, base, zone_name, sizes, CGNS_ENUMV(Structured), &zone));
    check(cgp_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateX", &coordinate));
    check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
    check(cgp_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), "Density", &field));
  }
  /* All ranks make each call; those without planes of the zone pass NULL. */
  for (int zone = 1; zone <= ZONES; ++zone) {
    const Part part = part_of(rank, zone);
    const double* data = part.count > 0 ? own[part.begin][0] : NULL;
    check(cgp_coord_write_data(file, base, zone, 1, part.low, part.high, data));
    check(cgp_field_write_data(file, base, zone, 1, 1, part.low, part.high, data));
  }
  check(cgp_close(file));
}

/* Each rank reads the planes of the next one, in the zones in which it has any. */
static int is_as_written(const char* name) {
  const int next = (rank + 1) % ranks;
  const int first = ALL * next / ranks, count = ALL * (next + 1) / ranks - first;
  int file, same = 1;
  check(cgp_pio_mode(CGP_INDEPENDENT));
  check(cgp_open(name, CG_MODE_READ, &file));
  for (int zone = 1; zone <= ZONES; ++zone) {
    const Part part = part_of(next, zone);
    if (part.count <= 0) continue;
    check(cgp_field_read_data(file, 1, zone, 1, 1, part.low, part.high, found + part.begin));
  }
  check(cgp_close(file));
  for (int plane = 0; plane < count; ++plane)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i)
        same = same && found[plane][j][i] == value_at(i, j, first + plane);
  return same;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int first = ALL * rank / ranks, count = ALL * (rank + 1) / ranks - first;
  for (int plane = 0; plane < count; ++plane)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) own[plane][j][i] = value_at(i, j, first + plane);
  write_file("zones_of_ranks.cgns");
  if (!is_as_written("zones_of_ranks.cgns")) {
    printf("rank %d finds other values\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
