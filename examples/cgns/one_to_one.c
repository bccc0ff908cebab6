/* Two structured zones that share a plane of vertices: the plane with the highest first index of
   one zone is that with the lowest first index of the other. Each zone has the interface, with the
   other as its donor. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 21, NJ = 17, NK = 9 };

static double x[NK][NJ][NI];

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static int write_zone(int file, int base, const char* name, double from) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int zone, index;
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i) x[k][j][i] = from + i;
  check(cg_zone_write(file, base, name, sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateX", x, &index));
  return zone;
}

static void write_file(const char* name) {
  const cgsize_t low[2][3] = {{1, 1, 1}, {1, NJ, NK}}, high[2][3] = {{NI, 1, 1}, {NI, NJ, NK}};
  /* The zones have the same directions: the first is the donor's first, and so on. */
  const int transform[3] = {1, 2, 3};
  int file, base, index;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  const int left = write_zone(file, base, "Zone  1", 0);
  const int right = write_zone(file, base, "Zone  2", NI - 1);
  check(
      cg_1to1_write(file, base, left, "To zone 2", "Zone  2", high[0], low[0], transform, &index));
  check(
      cg_1to1_write(file, base, right, "To zone 1", "Zone  1", low[0], high[0], transform, &index));
  check(cg_close(file));
}

/* The number of a zone. */
static int zone_of_name(int file, const char* name) {
  int zones;
  check(cg_nzones(file, 1, &zones));
  for (int zone = 1; zone <= zones; ++zone) {
    char found[33];
    cgsize_t sizes[9];
    check(cg_zone_read(file, 1, zone, found, sizes));
    int i = 0;
    while (found[i] == name[i] && name[i] != '\0') ++i;
    if (found[i] == name[i]) return zone;
  }
  return 0;
}

/* True if the vertices of an interface are at the places of those of its donor. */
static int is_same_place(int file, int zone, int interface) {
  static double own[NK][NJ], others[NK][NJ];
  char name[33], donor[33];
  cgsize_t range[2][3], donor_range[2][3];
  int transform[3], found = 1;
  const CGNS_ENUMT(DataType_t) type = CGNS_ENUMV(RealDouble);
  check(cg_1to1_read(file, 1, zone, interface, name, donor, range[0], donor_range[0], transform));
  check(cg_coord_read(file, 1, zone, "CoordinateX", type, range[0], range[1], own));
  check(cg_coord_read(file, 1, zone_of_name(file, donor), "CoordinateX", type, donor_range[0],
                      donor_range[1], others));
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j) found = found && own[k][j] == others[k][j];
  printf("zone %d, %s: donor %s, transform %d %d %d\n", zone, name, donor, transform[0],
         transform[1], transform[2]);
  return found;
}

int main(void) {
  int file, once, interfaces, found = 1;
  write_file("one_to_one.cgns");
  check(cg_open("one_to_one.cgns", CG_MODE_READ, &file));
  check(cg_n1to1_global(file, 1, &once));
  for (int zone = 1; zone <= 2; ++zone) {
    check(cg_n1to1(file, 1, zone, &interfaces));
    for (int i = 1; i <= interfaces; ++i) found = found && is_same_place(file, zone, i);
  }
  check(cg_close(file));
  return found && once == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
