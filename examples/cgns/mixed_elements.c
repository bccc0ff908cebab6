// Elements of several types in one section: a cube with a pyramid on it, and the faces around both.

#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_mesh(const char* path) {
  // Vertices 1 to 4 are below, 5 to 8 above, 9 is the top of the pyramid.
  const double x[9] = {0, 1, 1, 0, 0, 1, 1, 0, 0.5};
  const double y[9] = {0, 0, 1, 1, 0, 0, 1, 1, 0.5};
  const double z[9] = {0, 0, 0, 0, 1, 1, 1, 1, 2.0};
  // An element consists of its type and its nodes. The offsets are the beginnings of the elements,
  // and the end.
  const cgsize_t cells[] = {HEXA_8, 1, 2, 3, 4, 5, 6, 7, 8, PYRA_5, 5, 6, 7, 8, 9};
  const cgsize_t cell_offsets[] = {0, 9, 15};
  const cgsize_t faces[] = {QUAD_4, 1, 4, 3,     2, QUAD_4, 1, 2,     6, 5, QUAD_4, 2, 3, 7, 6,
                            QUAD_4, 3, 4, 8,     7, QUAD_4, 1, 5,     8, 4, TRI_3,  5, 6, 9, TRI_3,
                            6,      7, 9, TRI_3, 7, 8,      9, TRI_3, 8, 5, 9};
  const cgsize_t face_offsets[] = {0, 5, 10, 15, 20, 25, 29, 33, 37, 41};
  const cgsize_t sizes[3] = {9, 2, 0};
  int file = 0;
  int base = 0;
  int zone = 0;
  int index = 0;
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, Unstructured, &zone));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateX", x, &index));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateY", y, &index));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateZ", z, &index));
  check(cg_poly_section_write(file, base, zone, "Cells", MIXED, 1, 2, 0, cells, cell_offsets,
                              &index));
  check(cg_poly_section_write(file, base, zone, "Faces", MIXED, 3, 11, 0, faces, face_offsets,
                              &index));
  check(cg_close(file));
}

// Counts the elements of a type in a section.
static int count(int file, int section, ElementType_t wanted) {
  char name[33];
  ElementType_t type;
  cgsize_t start;
  cgsize_t end;
  cgsize_t size;
  int last_boundary;
  int has_parents;
  check(cg_section_read(file, 1, 1, section, name, &type, &start, &end, &last_boundary,
                        &has_parents));
  check(cg_ElementDataSize(file, 1, 1, section, &size));
  cgsize_t* entries = malloc((size_t)size * sizeof *entries);
  cgsize_t* offsets = malloc((size_t)(end - start + 2) * sizeof *offsets);
  check(cg_poly_elements_read(file, 1, 1, section, entries, offsets, NULL));
  int found = 0;
  for (cgsize_t i = 0; i <= end - start; ++i)
    if (entries[offsets[i]] == (cgsize_t)wanted) ++found;
  free(offsets);
  free(entries);
  return found;
}

int main(void) {
  const char* path = "mixed_elements.cgns";
  int file = 0;
  write_mesh(path);
  check(cg_open(path, CG_MODE_READ, &file));
  const int pyramids = count(file, 1, PYRA_5);
  const int triangles = count(file, 2, TRI_3);
  const int quadrilaterals = count(file, 2, QUAD_4);
  printf("%d %s, %d %s, %d %s\n", pyramids, ElementTypeName[PYRA_5], triangles,
         ElementTypeName[TRI_3], quadrilaterals, ElementTypeName[QUAD_4]);
  check(cg_close(file));
  return pyramids == 1 && triangles == 4 && quadrilaterals == 5 ? 0 : 1;
}
