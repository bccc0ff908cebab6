// Polyhedra: two neighbouring cells that consist of faces, which consist of vertices.

#include <cgnslib.h>
#include <stdio.h>

enum { kVertices = 12, kFaces = 11, kCells = 2 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_mesh(const char* path) {
  // Three squares at x = 0, 1 and 2: vertices 1 to 4, 5 to 8, 9 to 12.
  double x[kVertices];
  double y[kVertices];
  double z[kVertices];
  for (int n = 0; n < kVertices; ++n) {
    x[n] = n / 4;
    y[n] = n % 4 == 1 || n % 4 == 2;
    z[n] = n % 4 >= 2;
  }
  // The squares, then the faces around the first cell and those around the second.
  const cgsize_t faces[4 * kFaces] = {
      1, 2, 3,  4, 5, 6, 7,  8,  9, 10, 11, 12,              //
      1, 2, 6,  5, 2, 3, 7,  6,  3, 4,  8,  7,  4, 1, 5, 8,  //
      5, 6, 10, 9, 6, 7, 11, 10, 7, 8,  12, 11, 8, 5, 9, 12,
  };
  cgsize_t face_offsets[kFaces + 1];
  for (int n = 0; n <= kFaces; ++n) face_offsets[n] = 4 * n;
  // The cells follow the faces: elements 12 and 13. A negative number means that the normal of the
  // face points into the cell.
  const cgsize_t cells[6 * kCells] = {-1, 2, 4, 5, 6, 7, -2, 3, 8, 9, 10, 11};
  const cgsize_t cell_offsets[kCells + 1] = {0, 6, 12};
  // The first cell of each face, then the second cell of each face, which is 0 if there is none.
  // Then the positions of the faces in these cells.
  const cgsize_t parents[4 * kFaces] = {
      12, 12, 13, 12, 12, 12, 12, 13, 13, 13, 13,  //
      0,  13, 0,  0,  0,  0,  0,  0,  0,  0,  0,   //
      1,  2,  2,  3,  4,  5,  6,  3,  4,  5,  6,   //
      0,  1,  0,  0,  0,  0,  0,  0,  0,  0,  0,
  };
  const cgsize_t sizes[3] = {kVertices, kCells, 0};
  int file = 0;
  int base = 0;
  int zone = 0;
  int index = 0;
  int section = 0;
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, Unstructured, &zone));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateX", x, &index));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateY", y, &index));
  check(cg_coord_write(file, base, zone, RealDouble, "CoordinateZ", z, &index));
  check(cg_poly_section_write(file, base, zone, "Faces", NGON_n, 1, kFaces, 0, faces, face_offsets,
                              &section));
  check(cg_parent_data_write(file, base, zone, section, parents));
  check(cg_poly_section_write(file, base, zone, "Cells", NFACE_n, kFaces + 1, kFaces + kCells, 0,
                              cells, cell_offsets, &section));
  check(cg_close(file));
}

int main(void) {
  const char* path = "polyhedra.cgns";
  int file = 0;
  write_mesh(path);
  check(cg_open(path, CG_MODE_READ, &file));

  // Reads the second cell alone: first its number of faces, then the faces.
  const cgsize_t second = kFaces + 2;
  cgsize_t size = 0;
  cgsize_t faces[6];
  cgsize_t offsets[2];
  check(cg_ElementPartialSize(file, 1, 1, 2, second, second, &size));
  if (size != 6) return 1;
  check(cg_poly_elements_partial_read(file, 1, 1, 2, second, second, faces, offsets, NULL));
  printf("the second cell has %ld faces:", (long)(offsets[1] - offsets[0]));
  for (cgsize_t i = offsets[0]; i < offsets[1]; ++i) printf(" %ld", (long)faces[i]);
  printf("\n");
  check(cg_close(file));
  return faces[0] == -2 && faces[5] == 11 ? 0 : 1;
}
