// All ranks write a mesh of hexahedra: each has a layer of cells. The first rank has the bottom,
// the last one the top, and the others have nothing to write there.

#include <pcgnslib.h>
#include <stdio.h>

enum {
  kI = 5,  // vertices in a layer
  kJ = 4,
  kVertices = kI * kJ,
  kCells = (kI - 1) * (kJ - 1)  // cells of each rank
};

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

static cgsize_t vertex(int i, int j, int k) { return 1 + i + kI * (j + (cgsize_t)kJ * k); }

// Each rank has the vertices below its cells; the last one also those above.
static void write_coordinates(int file, int zone, int rank, int size) {
  const char* names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const int layers = rank == size - 1 ? 2 : 1;
  const cgsize_t first = 1 + kVertices * (cgsize_t)rank;
  const cgsize_t last = first + kVertices * layers - 1;
  double values[2 * kVertices];
  for (int direction = 0; direction < 3; ++direction) {
    int coordinate = 0;
    for (int n = 0; n < kVertices * layers; ++n) {
      const int index[3] = {n % kI, n / kI % kJ, rank + n / kVertices};
      values[n] = index[direction];
    }
    check(cgp_coord_write(file, 1, zone, RealDouble, names[direction], &coordinate));
    check(cgp_coord_write_data(file, 1, zone, coordinate, &first, &last, values));
  }
}

// Writes a section that has all its elements on one rank. The others pass NULL.
static void write_boundary(int file, int zone, const char* name, cgsize_t start, int layer,
                           int is_mine, int face) {
  cgsize_t nodes[4 * kCells];
  cgsize_t parents[4 * kCells] = {0};
  cgsize_t* out = nodes;
  int section = 0;
  for (int n = 0; n < kCells; ++n) {
    const int i = n % (kI - 1);
    const int j = n / (kI - 1);
    const int k = face == 6 ? layer + 1 : layer;
    *out++ = vertex(i, j, k);
    *out++ = face == 6 ? vertex(i + 1, j, k) : vertex(i, j + 1, k);
    *out++ = vertex(i + 1, j + 1, k);
    *out++ = face == 6 ? vertex(i, j + 1, k) : vertex(i + 1, j, k);
    parents[n] = 1 + n + kCells * (cgsize_t)layer;
    parents[2 * kCells + n] = face;
  }
  const cgsize_t end = start + kCells - 1;
  check(cgp_section_write(file, 1, zone, name, QUAD_4, start, end, 0, &section));
  check(cgp_elements_write_data(file, 1, zone, section, start, end, is_mine ? nodes : NULL));
  check(cgp_parent_data_write(file, 1, zone, section, start, end, is_mine ? parents : NULL));
}

static void write_mesh(const char* path, int rank, int size) {
  int file = 0;
  int base = 0;
  int zone = 0;
  int section = 0;
  cgsize_t cells[8 * kCells];
  cgsize_t* out = cells;
  const cgsize_t all_cells = kCells * (cgsize_t)size;
  const cgsize_t sizes[3] = {kVertices * ((cgsize_t)size + 1), all_cells, 0};
  check(cgp_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, Unstructured, &zone));
  write_coordinates(file, zone, rank, size);
  for (int n = 0; n < kCells; ++n)
    for (int above = 0; above < 2; ++above) {
      const int i = n % (kI - 1);
      const int j = n / (kI - 1);
      *out++ = vertex(i, j, rank + above);
      *out++ = vertex(i + 1, j, rank + above);
      *out++ = vertex(i + 1, j + 1, rank + above);
      *out++ = vertex(i, j + 1, rank + above);
    }
  const cgsize_t mine = 1 + kCells * (cgsize_t)rank;
  check(cgp_section_write(file, base, zone, "Cells", HEXA_8, 1, all_cells, 0, &section));
  check(cgp_elements_write_data(file, base, zone, section, mine, mine + kCells - 1, cells));
  write_boundary(file, zone, "Bottom", all_cells + 1, 0, rank == 0, 1);
  write_boundary(file, zone, "Top", all_cells + kCells + 1, size - 1, rank == size - 1, 6);
  check(cgp_close(file));
}

int main(int argc, char** argv) {
  const char* path = "unstructured_mpi.cgns";
  int rank = 0;
  int size = 1;
  int file = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  write_mesh(path, rank, size);

  // Each rank reads the last cell of the next rank.
  const cgsize_t cell = kCells * (cgsize_t)((rank + 1) % size + 1);
  cgsize_t nodes[8] = {0};
  check(cgp_open(path, CG_MODE_READ, &file));
  check(cgp_elements_read_data(file, 1, 1, 1, cell, cell, nodes));
  check(cgp_close(file));
  if (nodes[6] != kVertices * (cgsize_t)((rank + 1) % size + 2)) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) printf("%d ranks wrote %d cells each\n", size, (int)kCells);
  MPI_Finalize();
  return 0;
}
