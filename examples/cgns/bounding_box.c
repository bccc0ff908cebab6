/* The bounding box of a grid, which programs can read without its coordinates. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

int main(void) {
  const char* name = "bounding_box.cgns";
  const cgsize_t sizes[9] = {3, 3, 3, 2, 2, 2, 0, 0, 0};
  double box[2][3] = {{-1, 0, 0.5}, {1, 2, 4.5}};
  float found[2][3];
  int file, base, zone, grid, same = 1;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_grid_write(file, base, zone, "GridCoordinates", &grid));
  check(cg_grid_bounding_box_write(file, base, zone, grid, CGNS_ENUMV(RealDouble), box));
  check(cg_close(file));

  check(cg_open(name, CG_MODE_READ, &file));
  check(cg_grid_bounding_box_read(file, 1, 1, 1, CGNS_ENUMV(RealSingle), found));
  check(cg_close(file));
  for (int d = 0; d < 3; ++d) {
    same = same && found[0][d] == (float)box[0][d] && found[1][d] == (float)box[1][d];
    printf("%c: from %g to %g\n", 'x' + d, found[0][d], found[1][d]);
  }
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
