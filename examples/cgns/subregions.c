/* Values on parts of a zone: on faces that a list names, on a boundary condition, on an interface.
   The interface belongs to one of two time steps, which has a connectivity of its own. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 5, NJ = 4, NK = 3, POINTS = 2 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_array(int file, int zone, int region, cgsize_t count, const double* values) {
  check(cg_goto(file, 1, "Zone_t", zone, "ZoneSubRegion_t", region, "end"));
  check(cg_array_write("HeatFlux", CGNS_ENUMV(RealDouble), 1, &count, values));
}

static void write_connectivities(int file, int zone) {
  const cgsize_t high[2][3] = {{NI, 1, 1}, {NI, NJ, NK}}, low[2][3] = {{1, 1, 1}, {1, NJ, NK}};
  const int transform[3] = {1, 2, 3};
  int connectivity, interface;
  check(cg_zconn_write(file, 1, zone, "Step 1", &connectivity));
  check(cg_1to1_write(file, 1, zone, "Around", "Zone", high[0], low[0], transform, &interface));
  check(cg_zconn_write(file, 1, zone, "Step 2", &connectivity));
  check(cg_zconn_set(file, 1, zone, 1));
}

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  const cgsize_t faces[POINTS][3] = {{1, 1, 1}, {2, 1, 1}}, wall[2][3] = {{1, 1, 1}, {2, 1, 1}};
  const double values[POINTS] = {1.5, 2.5};
  int file, base, zone, condition, region;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_boco_write(file, base, zone, "Wall", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointRange), 2,
                      wall[0], &condition));
  write_connectivities(file, zone);
  check(cg_subreg_ptset_write(file, base, zone, "At faces", 2, CGNS_ENUMV(JFaceCenter),
                              CGNS_ENUMV(PointList), POINTS, faces[0], &region));
  write_array(file, zone, region, POINTS, values);
  check(cg_subreg_bcname_write(file, base, zone, "On the wall", 2, "Wall", &region));
  write_array(file, zone, region, POINTS, values);
  check(cg_subreg_gcname_write(file, base, zone, "Around", 2, "Step 1/Around", &region));
  check(cg_close(file));
}

/* The kind of region to which a subregion belongs: 0 for points. */
static int kind_of(int file, int region, char name[33]) {
  char target[66];
  CGNS_ENUMT(GridLocation_t) location;
  CGNS_ENUMT(PointSetType_t) form;
  cgsize_t count;
  int dimension, condition, interface;
  check(cg_subreg_info(file, 1, 1, region, name, &dimension, &location, &form, &count, &condition,
                       &interface));
  if (condition > 0) {
    check(cg_subreg_bcname_read(file, 1, 1, region, target));
    printf("%s: condition %s\n", name, target);
    return strcmp(target, "Wall") == 0 ? 1 : -1;
  }
  if (interface > 0) {
    check(cg_subreg_gcname_read(file, 1, 1, region, target));
    printf("%s: interface %s\n", name, target);
    return strcmp(target, "Step 1/Around") == 0 ? 2 : -1;
  }
  printf("%s: %s of %d at %s\n", name, cg_PointSetTypeName(form), (int)count,
         cg_GridLocationName(location));
  return count == POINTS && dimension == 2 ? 0 : -1;
}

int main(void) {
  char name[33];
  double values[POINTS];
  int file, regions, connectivities, interfaces[2], same = 1;
  write_file("subregions.cgns");
  check(cg_open("subregions.cgns", CG_MODE_READ, &file));
  check(cg_nsubregs(file, 1, 1, &regions));
  for (int region = 1; region <= regions; ++region)
    same = same && kind_of(file, region, name) == region - 1;
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneSubRegion_t", 2, "end"));
  check(cg_array_read(1, values));
  check(cg_nzconns(file, 1, 1, &connectivities));
  for (int c = 1; c <= 2; ++c) {
    check(cg_zconn_set(file, 1, 1, c));
    check(cg_n1to1(file, 1, 1, interfaces + c - 1));
  }
  check(cg_close(file));
  same = same && regions == 3 && values[1] == 2.5 && connectivities == 2 && interfaces[0] == 1 &&
         interfaces[1] == 0;
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
