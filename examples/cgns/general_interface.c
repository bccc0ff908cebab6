/* The interface of two structured zones as a list of vertices: each entry names a vertex of the
   zone and the vertex of the donor at the same place. The interface is also periodic. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 9, NJ = 7, NK = 5, MEETING = NJ * NK };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* Lists the plane of vertices at an index of the first direction. */
static void plane(int i, cgsize_t points[MEETING][3]) {
  for (int n = 0; n < MEETING; ++n) {
    points[n][0] = i;
    points[n][1] = 1 + n % NJ;
    points[n][2] = 1 + n / NJ;
  }
}

static int write_interface(int file, int zone, const char* name, int i, const char* donor,
                           int donor_i) {
  static cgsize_t own[MEETING][3], others[MEETING][3];
  int interface;
  plane(i, own);
  plane(donor_i, others);
  check(cg_conn_write(file, 1, zone, name, CGNS_ENUMV(Vertex), CGNS_ENUMV(Abutting1to1),
                      CGNS_ENUMV(PointList), MEETING, own[0], donor, CGNS_ENUMV(Structured),
                      CGNS_ENUMV(PointListDonor), CGNS_ENUMV(Integer), MEETING, others[0],
                      &interface));
  return interface;
}

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  const float center[3] = {0, 0, 0}, angle[3] = {0, 0, 0}, distance[3] = {2 * (NI - 1), 0, 0};
  int file, base, left, right;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone  1", sizes, CGNS_ENUMV(Structured), &left));
  check(cg_zone_write(file, base, "Zone  2", sizes, CGNS_ENUMV(Structured), &right));
  write_interface(file, left, "To zone 2", NI, "Zone  2", 1);
  write_interface(file, right, "To zone 1", 1, "Zone  1", NI);
  const int around = write_interface(file, right, "Around to zone 1", NI, "Zone  1", 1);
  check(cg_conn_periodic_write(file, base, right, around, center, angle, distance));
  check(cg_close(file));
}

/* True if the donors of an interface differ from its own vertices only in the first index. */
static int is_as_written(int file, int zone, int interface) {
  static cgsize_t own[MEETING][3], others[MEETING][3];
  char name[33], donor[33];
  CGNS_ENUMT(GridLocation_t) location;
  CGNS_ENUMT(GridConnectivityType_t) kind;
  CGNS_ENUMT(PointSetType_t) form, donor_form;
  CGNS_ENUMT(ZoneType_t) donor_zone;
  CGNS_ENUMT(DataType_t) type;
  cgsize_t points, donors;
  float center[3], angle[3], distance[3];
  int same;
  check(cg_conn_info(file, 1, zone, interface, name, &location, &kind, &form, &points, donor,
                     &donor_zone, &donor_form, &type, &donors));
  if (points != MEETING || donors != MEETING) return 0;
  check(cg_conn_read(file, 1, zone, interface, own[0], type, others[0]));
  same = own[0][0] + others[0][0] == 1 + NI;
  for (int n = 0; n < MEETING; ++n)
    same = same && own[n][1] == others[n][1] && own[n][2] == others[n][2];
  printf("zone %d, %s: %s at %d vertices of %s", zone, name, cg_GridConnectivityTypeName(kind),
         (int)points, donor);
  if (cg_conn_periodic_read(file, 1, zone, interface, center, angle, distance) == CG_OK)
    printf(", %g further on", distance[0]);
  printf("\n");
  return same;
}

int main(void) {
  int file, count, all = 0, same = 1;
  write_file("general_interface.cgns");
  check(cg_open("general_interface.cgns", CG_MODE_READ, &file));
  for (int zone = 1; zone <= 2; ++zone) {
    check(cg_nconns(file, 1, zone, &count));
    for (int i = 1; i <= count; ++i, ++all) same = same && is_as_written(file, zone, i);
  }
  check(cg_close(file));
  return same && all == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
