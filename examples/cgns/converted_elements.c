/* Elements in 32-bit memory are written to a section of 64-bit numbers, and the reverse: the
   numbers of a program may have another type than those of the file. */
#include <cgnslib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TETRAHEDRA = 4, CORNERS = 4, POLYGONS = 3 };

static const int32_t corners[TETRAHEDRA][CORNERS] = {
    {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}, {4, 5, 6, 7}};
static const int64_t polygons[12] = {1, 2, 3, 1, 2, 4, 5, 3, 4, 5, 6, 7};
static const int64_t offsets[POLYGONS + 1] = {0, 3, 7, 12};

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_file(const char* name) {
  const cgsize_t sizes[3] = {7, TETRAHEDRA, 0};
  const cgsize_t last = TETRAHEDRA + POLYGONS;
  int file, base, zone, section;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Unstructured), &zone));
  check(cg_section_general_write(file, base, zone, "Tetrahedra", CGNS_ENUMV(TETRA_4),
                                 CGNS_ENUMV(LongInteger), 1, TETRAHEDRA, TETRAHEDRA * CORNERS, 0,
                                 &section));
  /* All elements have node 0 until they are written. */
  check(cg_section_initialize(file, base, zone, section));
  check(cg_elements_general_write(file, base, zone, section, 1, TETRAHEDRA, CGNS_ENUMV(Integer),
                                  corners));
  check(cg_section_general_write(file, base, zone, "Polygons", CGNS_ENUMV(NGON_n),
                                 CGNS_ENUMV(Integer), TETRAHEDRA + 1, last, 12, 0, &section));
  check(cg_section_initialize(file, base, zone, section));
  check(cg_poly_elements_general_write(file, base, zone, section, TETRAHEDRA + 1, last,
                                       CGNS_ENUMV(LongInteger), polygons, offsets));
  check(cg_close(file));
}

static int is_as_written(int file) {
  int64_t wide[2][CORNERS];
  int32_t narrow[9], narrow_offsets[3];
  int same = 1;
  check(cg_elements_general_read(file, 1, 1, 1, 2, 3, CGNS_ENUMV(LongInteger), wide));
  for (int e = 0; e < 2; ++e)
    for (int i = 0; i < CORNERS; ++i) same = same && wide[e][i] == corners[e + 1][i];
  check(cg_poly_elements_general_read(file, 1, 1, 2, TETRAHEDRA + 2, TETRAHEDRA + POLYGONS,
                                      CGNS_ENUMV(Integer), narrow, narrow_offsets));
  for (int i = 0; i < 9; ++i) same = same && narrow[i] == polygons[3 + i];
  return same && narrow_offsets[0] == 0 && narrow_offsets[1] == 4 && narrow_offsets[2] == 9;
}

int main(void) {
  int file, same;
  write_file("converted_elements.cgns");
  check(cg_open("converted_elements.cgns", CG_MODE_READ, &file));
  same = is_as_written(file);
  check(cg_close(file));
  printf("%s\n", same ? "the elements are there" : "other elements are there");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
