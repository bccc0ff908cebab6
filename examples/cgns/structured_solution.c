/* A structured zone with two solutions: density at the vertices, pressure in the cells. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

/* Vertices of the zone. CGNS counts the first index fastest, C the last. */
enum { NI = 21, NJ = 17, NK = 9 };

static double x[NK][NJ][NI], y[NK][NJ][NI], z[NK][NJ][NI];
static double density[NK][NJ][NI];
static float pressure[NK - 1][NJ - 1][NI - 1];

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void compute(void) {
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) {
        x[k][j][i] = i;
        y[k][j][i] = j;
        z[k][j][i] = k;
        density[k][j][i] = i + 0.01 * j + 0.0001 * k;
        if (k < NK - 1 && j < NJ - 1 && i < NI - 1) pressure[k][j][i] = (float)(i * j * k);
      }
}

static void write_grid(int file, int base, int zone) {
  const CGNS_ENUMT(DataType_t) type = CGNS_ENUMV(RealDouble);
  int index;
  check(cg_coord_write(file, base, zone, type, "CoordinateX", x, &index));
  check(cg_coord_write(file, base, zone, type, "CoordinateY", y, &index));
  check(cg_coord_write(file, base, zone, type, "CoordinateZ", z, &index));
}

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int file, base, zone, solution, field;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone  1", sizes, CGNS_ENUMV(Structured), &zone));
  write_grid(file, base, zone);

  check(cg_sol_write(file, base, zone, "At vertices", CGNS_ENUMV(Vertex), &solution));
  check(cg_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), "Density", density,
                       &field));
  check(cg_sol_write(file, base, zone, "In cells", CGNS_ENUMV(CellCenter), &solution));
  check(cg_field_write(file, base, zone, solution, CGNS_ENUMV(RealSingle), "Pressure", pressure,
                       &field));
  check(cg_close(file));
}

/* Reads the density of one plane, and the pressure of all cells in double precision. */
static int is_as_written(const char* name) {
  static double plane[NJ][NI], cells[NK - 1][NJ - 1][NI - 1];
  const cgsize_t low[3] = {1, 1, NK}, high[3] = {NI, NJ, NK};
  const cgsize_t first[3] = {1, 1, 1}, last[3] = {NI - 1, NJ - 1, NK - 1};
  char solution[33];
  CGNS_ENUMT(GridLocation_t) location;
  int file, solutions, found = 1;
  check(cg_open(name, CG_MODE_READ, &file));
  check(cg_nsols(file, 1, 1, &solutions));
  for (int s = 1; s <= solutions; ++s) {
    check(cg_sol_info(file, 1, 1, s, solution, &location));
    printf("%s: %s\n", solution, cg_GridLocationName(location));
  }
  check(cg_field_read(file, 1, 1, 1, "Density", CGNS_ENUMV(RealDouble), low, high, plane));
  check(cg_field_read(file, 1, 1, 2, "Pressure", CGNS_ENUMV(RealDouble), first, last, cells));
  check(cg_close(file));
  for (int j = 0; j < NJ - 1; ++j)
    for (int i = 0; i < NI - 1; ++i)
      found = found && plane[j][i] == density[NK - 1][j][i] &&
              cells[NK - 2][j][i] == (double)pressure[NK - 2][j][i];
  return found && solutions == 2;
}

int main(void) {
  compute();
  write_file("structured_solution.cgns");
  return is_as_written("structured_solution.cgns") ? EXIT_SUCCESS : EXIT_FAILURE;
}
