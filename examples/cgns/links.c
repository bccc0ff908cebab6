/* One grid for two solutions: the file of each solution has its own fields, and a link to the
   coordinates in the file of the grid. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 5, NJ = 4, NK = 3, VERTICES = NI * NJ * NK };

static const char grid_file[] = "grid.cgns", grid[] = "/Base/Zone/GridCoordinates";

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static int write_zone(const char* name, int* zone) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int file, base;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), zone));
  return file;
}

static void write_grid(void) {
  double x[VERTICES];
  int zone, index;
  const int file = write_zone(grid_file, &zone);
  for (int n = 0; n < VERTICES; ++n) x[n] = 0.5 * n;
  check(cg_coord_write(file, 1, zone, CGNS_ENUMV(RealDouble), "CoordinateX", x, &index));
  check(cg_close(file));
}

/* A second link leads to a node of the file itself. */
static void write_solution(const char* name) {
  double pressure[VERTICES];
  int zone, solution, index;
  const int file = write_zone(name, &zone);
  for (int n = 0; n < VERTICES; ++n) pressure[n] = n;
  check(cg_sol_write(file, 1, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  check(cg_field_write(file, 1, zone, solution, CGNS_ENUMV(RealDouble), "Pressure", pressure,
                       &index));
  check(cg_goto(file, 1, "Zone_t", zone, "end"));
  check(cg_link_write("GridCoordinates", grid_file, grid));
  check(cg_link_write("Last solution", "", "/Base/Zone/Solution"));
  check(cg_close(file));
}

static int links_are_as_written(int file) {
  char *in_file, *path;
  int length, same;
  check(cg_goto(file, 1, "Zone_t", 1, "GridCoordinates_t", 1, "end"));
  check(cg_is_link(&length));
  check(cg_link_read(&in_file, &path));
  printf("the coordinates are %s of %s\n", path, in_file);
  same = length > 0 && strcmp(in_file, grid_file) == 0 && strcmp(path, grid) == 0;
  check(cg_free(in_file));
  check(cg_free(path));
  check(cg_goto(file, 1, "Zone_t", 1, "FlowSolution_t", 1, "end"));
  check(cg_is_link(&length));
  return same && length == 0;
}

int main(void) {
  const cgsize_t low[3] = {1, 1, 1}, high[3] = {NI, NJ, NK};
  double x[VERTICES], pressure[VERTICES];
  int file, solutions, same;
  write_grid();
  write_solution("links.cgns");
  check(cg_open("links.cgns", CG_MODE_READ, &file));
  same = links_are_as_written(file);
  check(cg_nsols(file, 1, 1, &solutions));
  check(cg_coord_read(file, 1, 1, "CoordinateX", CGNS_ENUMV(RealDouble), low, high, x));
  check(cg_field_read(file, 1, 1, 2, "Pressure", CGNS_ENUMV(RealDouble), low, high, pressure));
  check(cg_close(file));
  for (int n = 0; n < VERTICES; ++n) same = same && x[n] == 0.5 * n && pressure[n] == n;
  return same && solutions == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
