// All ranks write a row of polyhedra: each has one cell, the face on its left and the faces around
// it.

#include <pcgnslib.h>
#include <stdio.h>

enum { kFaces = 5 };  // of each rank; the last one also has the face at the end

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

static void write_coordinates(int file, int zone, int rank, int is_last) {
  const char* names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const cgsize_t first = 1 + 4 * (cgsize_t)rank;
  const cgsize_t last = first + (is_last ? 7 : 3);
  double values[3][8];
  for (int n = 0; n < 8; ++n) {
    values[0][n] = rank + n / 4;
    values[1][n] = n % 4 == 1 || n % 4 == 2;
    values[2][n] = n % 4 >= 2;
  }
  for (int direction = 0; direction < 3; ++direction) {
    int coordinate = 0;
    check(cgp_coord_write(file, 1, zone, RealDouble, names[direction], &coordinate));
    check(cgp_coord_write_data(file, 1, zone, coordinate, &first, &last, values[direction]));
  }
}

// Offsets refer to the whole section: from the beginning of the rank's first element to the end of
// its last one, where the next rank begins. Here all faces have four nodes. If that differs,
// MPI_Exscan over the ranks' sums gives the first offset.
static void write_faces(int file, int zone, int rank, int size) {
  const cgsize_t all = kFaces * (cgsize_t)size + 1;
  const cgsize_t first = 1 + kFaces * (cgsize_t)rank;
  const int count = rank == size - 1 ? kFaces + 1 : kFaces;
  const cgsize_t v = 4 * (cgsize_t)rank;  // before the vertices of the rank
  const cgsize_t nodes[4 * (kFaces + 1)] = {
      v + 1, v + 2, v + 3, v + 4, v + 1, v + 2, v + 6, v + 5, v + 2, v + 3, v + 7, v + 6,
      v + 3, v + 4, v + 8, v + 7, v + 4, v + 1, v + 5, v + 8, v + 5, v + 6, v + 7, v + 8,
  };
  cgsize_t offsets[kFaces + 2];
  int section = 0;
  for (int n = 0; n <= count; ++n) offsets[n] = 4 * (first - 1 + n);
  check(cgp_poly_section_write(file, 1, zone, "Faces", NGON_n, 1, all, 4 * all, 0, &section));
  check(cgp_poly_elements_write_data(file, 1, zone, section, first, first + count - 1, nodes,
                                     offsets));
}

// The cells follow the faces. A negative number means that the normal of the face points into the
// cell.
static void write_cells(int file, int zone, int rank, int size) {
  const cgsize_t before = kFaces * (cgsize_t)size + 1;
  const cgsize_t cell = before + rank + 1;
  const cgsize_t f = kFaces * (cgsize_t)rank;
  const cgsize_t faces[6] = {-(f + 1), f + 2, f + 3, f + 4, f + 5, f + 6};
  const cgsize_t offsets[2] = {6 * (cgsize_t)rank, 6 * ((cgsize_t)rank + 1)};
  int section = 0;
  check(cgp_poly_section_write(file, 1, zone, "Cells", NFACE_n, before + 1, before + size,
                               6 * (cgsize_t)size, 0, &section));
  check(cgp_poly_elements_write_data(file, 1, zone, section, cell, cell, faces, offsets));
}

int main(int argc, char** argv) {
  const char* path = "polyhedra_mpi.cgns";
  int rank = 0;
  int size = 1;
  int file = 0;
  int base = 0;
  int zone = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const cgsize_t sizes[3] = {4 * ((cgsize_t)size + 1), size, 0};
  check(cgp_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Row", sizes, Unstructured, &zone));
  write_coordinates(file, zone, rank, rank == size - 1);
  write_faces(file, zone, rank, size);
  write_cells(file, zone, rank, size);
  check(cgp_close(file));

  // Each rank reads the cell of the next rank: first the offsets of its faces, then the faces.
  const int other = (rank + 1) % size;
  const cgsize_t cell = kFaces * (cgsize_t)size + 2 + other;
  cgsize_t offsets[2] = {0, 0};
  cgsize_t faces[6] = {0};
  check(cgp_open(path, CG_MODE_READ, &file));
  check(cgp_poly_elements_read_data_offsets(file, 1, 1, 2, cell, cell, offsets));
  if (offsets[1] - offsets[0] != 6) MPI_Abort(MPI_COMM_WORLD, 1);
  check(cgp_poly_elements_read_data_elements(file, 1, 1, 2, cell, cell, offsets, faces));
  check(cgp_close(file));
  if (faces[5] != kFaces * ((cgsize_t)other + 1) + 1) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) printf("%d ranks wrote one cell each\n", size);
  MPI_Finalize();
  return 0;
}
