/* Arrays and elements that are written and read in parts, as by a program with little memory: plane
   by plane, and the elements of a section in another order. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 6, NJ = 5, NK = 4, PLANE = NI * NJ, VERTICES = PLANE * NK };
enum { CELLS = (NI - 1) * (NJ - 1) }; /* quadrilaterals of the first plane */

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static double value_at(int vertex) { return 0.5 * vertex; }

static void write_planes(int file, int base) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int zone, solution, index;
  check(cg_zone_write(file, base, "Planes", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  for (int k = 0; k < NK; ++k) {
    const cgsize_t low[3] = {1, 1, k + 1}, high[3] = {NI, NJ, k + 1};
    double values[PLANE];
    for (int n = 0; n < PLANE; ++n) values[n] = value_at(k * PLANE + n);
    check(cg_coord_partial_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateX", low, high,
                                 values, &index));
    check(cg_field_partial_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), "Pressure",
                                 low, high, values, &index));
  }
}

/* The corners of a quadrilateral, counted from 0. */
static void corners(int cell, cgsize_t out[4]) {
  const int vertex = 1 + cell % (NI - 1) + NI * (cell / (NI - 1));
  out[0] = vertex;
  out[1] = vertex + 1;
  out[2] = vertex + 1 + NI;
  out[3] = vertex + NI;
}

/* Writes the second half of the elements before the first. */
static void write_elements(int file, int base) {
  const cgsize_t sizes[3] = {PLANE, CELLS, 0};
  const int halves[3] = {0, CELLS / 2, CELLS};
  cgsize_t nodes[CELLS][4];
  int zone, section;
  check(cg_zone_write(file, base, "Section", sizes, CGNS_ENUMV(Unstructured), &zone));
  check(cg_section_partial_write(file, base, zone, "Faces", CGNS_ENUMV(QUAD_4), 1, CELLS, 0,
                                 &section));
  for (int half = 1; half >= 0; --half) {
    const int first = halves[half], end = halves[half + 1];
    for (int cell = first; cell < end; ++cell) corners(cell, nodes[cell]);
    check(cg_elements_partial_write(file, base, zone, section, first + 1, end, nodes[first]));
  }
}

static int arrays_are_as_written(int file) {
  const cgsize_t low[3] = {2, 3, 1}, high[3] = {NI, 3, NK}; /* a part of a row in each plane */
  double x[NK][NI - 1], pressure[NK][NI - 1];
  int same = 1;
  check(cg_coord_read(file, 1, 1, "CoordinateX", CGNS_ENUMV(RealDouble), low, high, x));
  check(cg_field_read(file, 1, 1, 1, "Pressure", CGNS_ENUMV(RealDouble), low, high, pressure));
  for (int k = 0; k < NK; ++k)
    for (int i = 0; i < NI - 1; ++i)
      same = same && x[k][i] == value_at(k * PLANE + 2 * NI + i + 1) && pressure[k][i] == x[k][i];
  return same;
}

static int elements_are_as_written(int file) {
  cgsize_t nodes[3][4], expected[4], size;
  int same = 1;
  check(cg_ElementPartialSize(file, 1, 2, 1, 9, 11, &size));
  check(cg_elements_partial_read(file, 1, 2, 1, 9, 11, nodes[0], NULL));
  for (int e = 0; e < 3; ++e) {
    corners(8 + e, expected);
    for (int i = 0; i < 4; ++i) same = same && nodes[e][i] == expected[i];
  }
  return same && size == 12;
}

int main(void) {
  int file, base, same;
  check(cg_open("parts.cgns", CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  write_planes(file, base);
  check(cg_close(file));
  check(cg_open("parts.cgns", CG_MODE_MODIFY, &file));
  write_elements(file, 1);
  check(cg_close(file));
  check(cg_open("parts.cgns", CG_MODE_READ, &file));
  same = arrays_are_as_written(file) && elements_are_as_written(file);
  check(cg_close(file));
  printf("%s\n", same ? "all parts are there" : "other values are there");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
