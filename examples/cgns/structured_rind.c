/* A solution in cells with rind: one more plane of cells at both ends of the first index, which a
   solver uses for its boundary conditions. The first cell of the core has the index 1. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 21, NJ = 17, NK = 9 };                  /* vertices */
enum { CI = NI - 1 + 2, CJ = NJ - 1, CK = NK - 1 }; /* cells, rind included */

static double density[CK][CJ][CI];

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* The rind is written before the fields, whose extents it changes. */
static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  const int rind[6] = {1, 1, 0, 0, 0, 0};
  int file, base, zone, solution, field;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone  1", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_sol_write(file, base, zone, "In cells", CGNS_ENUMV(CellCenter), &solution));
  check(cg_goto(file, base, "Zone_t", zone, "FlowSolution_t", solution, "end"));
  check(cg_rind_write(rind));
  check(cg_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), "Density", density,
                       &field));
  check(cg_close(file));
}

/* Reads the plane of rind at the low end, and the cells of the core. */
static int is_as_written(const char* name) {
  static double plane[CK][CJ], core[CK][CJ][CI - 2];
  const cgsize_t rind_low[3] = {0, 1, 1}, rind_high[3] = {0, CJ, CK};
  const cgsize_t low[3] = {1, 1, 1}, high[3] = {CI - 2, CJ, CK};
  int file, rind[6], dimensions, found = 1;
  cgsize_t extents[3];
  check(cg_open(name, CG_MODE_READ, &file));
  check(cg_goto(file, 1, "Zone_t", 1, "FlowSolution_t", 1, "end"));
  check(cg_rind_read(rind));
  check(cg_sol_size(file, 1, 1, 1, &dimensions, extents));
  printf("planes of rind: %d and %d; cells in the first direction: %d\n", rind[0], rind[1],
         (int)extents[0]);
  check(
      cg_field_read(file, 1, 1, 1, "Density", CGNS_ENUMV(RealDouble), rind_low, rind_high, plane));
  check(cg_field_read(file, 1, 1, 1, "Density", CGNS_ENUMV(RealDouble), low, high, core));
  check(cg_close(file));
  for (int k = 0; k < CK; ++k)
    for (int j = 0; j < CJ; ++j)
      found = found && plane[k][j] == density[k][j][0] && core[k][j][0] == density[k][j][1];
  return found && extents[0] == CI;
}

int main(void) {
  for (int k = 0; k < CK; ++k)
    for (int j = 0; j < CJ; ++j)
      for (int i = 0; i < CI; ++i) density[k][j][i] = i + 0.01 * j + 0.0001 * k;
  write_file("structured_rind.cgns");
  return is_as_written("structured_rind.cgns") ? EXIT_SUCCESS : EXIT_FAILURE;
}
