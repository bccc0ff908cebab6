// A mesh of hexahedra with quadrilaterals at its bottom and top, which have parents.

#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kI = 5,  // vertices in each direction
  kJ = 4,
  kK = 3,
  kVertices = kI * kJ * kK,
  kBottomCells = (kI - 1) * (kJ - 1),
  kCells = kBottomCells * (kK - 1)
};

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void require(int is_true, const char* what) {
  if (is_true) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static cgsize_t vertex(int i, int j, int k) { return 1 + i + kI * (j + (cgsize_t)kJ * k); }

// The corners of a cell: the four below, then the four above them.
static void corners(int i, int j, int k, cgsize_t* out) {
  for (int above = 0; above < 2; ++above) {
    *out++ = vertex(i, j, k + above);
    *out++ = vertex(i + 1, j, k + above);
    *out++ = vertex(i + 1, j + 1, k + above);
    *out++ = vertex(i, j + 1, k + above);
  }
}

static void write_coordinates(int file, int base, int zone) {
  const char* names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  static double values[kVertices];
  for (int direction = 0; direction < 3; ++direction) {
    for (int n = 0; n < kVertices; ++n) {
      const int index[3] = {n % kI, n / kI % kJ, n / kI / kJ};
      values[n] = index[direction];
    }
    int coordinate = 0;
    check(cg_coord_write(file, base, zone, RealDouble, names[direction], values, &coordinate));
  }
}

// Faces of the cells in the layer `layer`. `face` is 1 (below) or 6 (above), as the faces of HEXA_8
// are numbered. Elements of a section follow those of the one before.
static void write_boundary(int file, int zone, const char* name, cgsize_t start, int layer,
                           int face) {
  static cgsize_t nodes[4 * kBottomCells];
  static cgsize_t parents[4 * kBottomCells];
  memset(parents, 0, sizeof parents);
  cgsize_t* out = nodes;
  for (int n = 0; n < kBottomCells; ++n) {
    cgsize_t cell[8];
    corners(n % (kI - 1), n / (kI - 1), layer, cell);
    for (int i = 0; i < 4; ++i) *out++ = face == 1 ? cell[(4 - i) % 4] : cell[4 + i];
    parents[n] = 1 + n + kBottomCells * (cgsize_t)layer;  // the cell; there is no second one
    parents[2 * kBottomCells + n] = face;                 // its face; there is no second one
  }
  int section = 0;
  check(cg_section_write(file, 1, zone, name, QUAD_4, start, start + kBottomCells - 1, 0, nodes,
                         &section));
  check(cg_parent_data_write(file, 1, zone, section, parents));
}

static void write_mesh(const char* path) {
  int file = 0;
  int base = 0;
  int zone = 0;
  int section = 0;
  static cgsize_t cells[8 * kCells];
  cgsize_t* out = cells;
  const cgsize_t sizes[3] = {kVertices, kCells, 0};
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, Unstructured, &zone));
  write_coordinates(file, base, zone);
  for (int k = 0; k < kK - 1; ++k)
    for (int j = 0; j < kJ - 1; ++j)
      for (int i = 0; i < kI - 1; ++i, out += 8) corners(i, j, k, out);
  check(cg_section_write(file, base, zone, "Cells", HEXA_8, 1, kCells, 0, cells, &section));
  write_boundary(file, zone, "Bottom", kCells + 1, 0, 1);
  write_boundary(file, zone, "Top", kCells + kBottomCells + 1, kK - 2, 6);
  check(cg_close(file));
}

static void read_mesh(const char* path) {
  int file = 0;
  int sections = 0;
  check(cg_open(path, CG_MODE_READ, &file));
  check(cg_nsections(file, 1, 1, &sections));
  for (int section = 1; section <= sections; ++section) {
    char name[33];
    ElementType_t type;
    cgsize_t start;
    cgsize_t end;
    int last_boundary;
    int has_parents;
    int nodes;
    check(cg_section_read(file, 1, 1, section, name, &type, &start, &end, &last_boundary,
                          &has_parents));
    check(cg_npe(type, &nodes));
    printf("%s: %s %ld..%ld, %d nodes each%s\n", name, ElementTypeName[type], (long)start,
           (long)end, nodes, has_parents ? ", with parents" : "");
  }
  require(sections == 3, "there are three sections");

  // Reads the last element of the top alone.
  cgsize_t corner[4];
  cgsize_t parent[4];
  const cgsize_t last = kCells + 2 * kBottomCells;
  check(cg_elements_partial_read(file, 1, 1, 3, last, last, corner, parent));
  require(corner[2] == kVertices, "the third corner of the last face is the last vertex");
  require(parent[0] == kCells && parent[2] == 6, "it is the face above the last cell");
  check(cg_close(file));
}

int main(void) {
  write_mesh("unstructured.cgns");
  read_mesh("unstructured.cgns");
  return 0;
}
