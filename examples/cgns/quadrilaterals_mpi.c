/* A plane of quadrilaterals with an edge of bars: ranks write elements, the parents of the bars,
   and the list of points of a boundary condition. Then the file is modified: a condition is
   deleted. */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 12, NJ = 9, QUADS = (NI - 1) * (NJ - 1), BARS = NI - 1 };

static int rank, ranks, file;

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/* The part of a rank, counted from 1. If there are more ranks than elements, some have none. */
static void part_of(int of_rank, int count, cgsize_t* first, cgsize_t* last) {
  *first = (cgsize_t)count * of_rank / ranks + 1;
  *last = (cgsize_t)count * (of_rank + 1) / ranks;
}

static cgsize_t corner(cgsize_t quad, int n) {
  const cgsize_t vertex = 1 + (quad - 1) % (NI - 1) + NI * ((quad - 1) / (NI - 1));
  const cgsize_t to[4] = {0, 1, 1 + NI, NI};
  return vertex + to[n];
}

static void write_coordinates(void) {
  static double x[NI * NJ], y[NI * NJ];
  cgsize_t first, last;
  int cx, cy;
  part_of(rank, NI * NJ, &first, &last);
  for (cgsize_t n = first; n <= last; ++n) {
    x[n - first] = (double)((n - 1) % NI);
    y[n - first] = (double)((n - 1) / NI);
  }
  check(cgp_coord_write(file, 1, 1, CGNS_ENUMV(RealDouble), "CoordinateX", &cx));
  check(cgp_coord_write(file, 1, 1, CGNS_ENUMV(RealDouble), "CoordinateY", &cy));
  check(cgp_coord_write_data(file, 1, 1, cx, &first, &last, x));
  check(cgp_coord_write_data(file, 1, 1, cy, &first, &last, y));
}

static void write_quads(void) {
  static cgsize_t nodes[QUADS][4];
  cgsize_t first, last;
  int section;
  part_of(rank, QUADS, &first, &last);
  for (cgsize_t quad = first; quad <= last; ++quad)
    for (int n = 0; n < 4; ++n) nodes[quad - first][n] = corner(quad, n);
  check(cgp_section_write(file, 1, 1, "Quadrilaterals", CGNS_ENUMV(QUAD_4), 1, QUADS, 0, &section));
  check(cgp_elements_write_data(file, 1, 1, section, first, last, nodes[0]));
}

/* The bars of the lower edge follow the quadrilaterals, their only parents. The four columns of
   parents are: the first parent, the second one, and the number of the bar among the edges of each.
 */
static void write_bars(void) {
  cgsize_t nodes[BARS][2], parents[4 * BARS] = {0}, first, last;
  int section;
  part_of(rank, BARS, &first, &last);
  const cgsize_t count = last - first + 1;
  for (cgsize_t n = 0; n < count; ++n) {
    nodes[n][0] = first + n;
    nodes[n][1] = first + n + 1;
    parents[n] = first + n;
    parents[2 * count + n] = 1;
  }
  check(cgp_section_write(file, 1, 1, "Lower edge", CGNS_ENUMV(BAR_2), QUADS + 1, QUADS + BARS, 0,
                          &section));
  check(cgp_elements_write_data(file, 1, 1, section, QUADS + first, QUADS + last,
                                count > 0 ? nodes[0] : NULL));
  check(cgp_parent_data_write(file, 1, 1, section, QUADS + first, QUADS + last,
                              count > 0 ? parents : NULL));
}

/* All ranks create the list with the same arguments; each writes its part of the points. */
static void write_condition(const char* name) {
  cgsize_t places[BARS], points[BARS], first, last;
  int condition;
  for (int n = 0; n < BARS; ++n) places[n] = QUADS + 1;
  part_of(rank, BARS, &first, &last);
  for (cgsize_t n = first; n <= last; ++n) points[n - first] = QUADS + n;
  check(cg_boco_write(file, 1, 1, name, CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList), BARS, places,
                      &condition));
  check(cg_boco_gridlocation_write(file, 1, 1, condition, CGNS_ENUMV(EdgeCenter)));
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", condition, "PointList", 0, "end"));
  check(cgp_ptlist_write_data(file, first, last, first <= last ? points : NULL));
}

static void write_file(const char* name) {
  const cgsize_t sizes[3] = {NI * NJ, QUADS, 0};
  int base, zone;
  check(cgp_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 2, 2, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Unstructured), &zone));
  write_coordinates();
  write_quads();
  write_bars();
  write_condition("Wall");
  write_condition("Not needed");
  check(cgp_close(file));
}

/* Compares the elements of the next rank with those written. */
static int is_as_written(void) {
  static cgsize_t nodes[QUADS][4];
  cgsize_t points[BARS], parents[2 * BARS], first, last;
  int conditions, same = 1;
  part_of((rank + 1) % ranks, QUADS, &first, &last);
  check(cgp_elements_read_data(file, 1, 1, 1, first, last, nodes[0]));
  for (cgsize_t quad = first; quad <= last; ++quad)
    for (int n = 0; n < 4; ++n) same = same && nodes[quad - first][n] == corner(quad, n);
  part_of((rank + 1) % ranks, BARS, &first, &last);
  const int has_some = first <= last;
  check(cgp_parentelements_read_data(file, 1, 1, 2, QUADS + first, QUADS + last,
                                     has_some ? parents : NULL));
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", 1, "PointList", 0, "end"));
  check(cgp_ptlist_read_data(file, first, last, has_some ? points : NULL));
  for (cgsize_t n = first; n <= last; ++n)
    same = same && parents[n - first] == n && points[n - first] == QUADS + n;
  check(cg_nbocos(file, 1, 1, &conditions));
  return same && conditions == 1;
}

int main(int argc, char** argv) {
  const char* name = "quadrilaterals.cgns";
  int same;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  write_file(name);
  check(cgp_open(name, CG_MODE_MODIFY, &file));
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneBC_t", 1, "end"));
  check(cg_delete_node("Not needed"));
  check(cgp_close(file));
  check(cgp_open(name, CG_MODE_READ, &file));
  same = is_as_written();
  check(cgp_close(file));
  if (!same) {
    printf("rank %d finds other values\n", rank);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
