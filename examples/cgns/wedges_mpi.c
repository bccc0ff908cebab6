/* Ranks write and read all arrays of a mesh of wedges: one array or several in a call, all ranks
   together or each rank alone. */
#include <pcgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEDGES = 210, CORNERS = 6, VERTICES = 3 * (WEDGES + 1), SETS = 3 };

static const char* const coordinate_names[SETS] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
static const char* const field_names[SETS] = {"VelocityX", "VelocityY", "VelocityZ"};
static const char* const array_names[SETS] = {"First", "Second", "Third"};

static int rank, ranks, file;

static void check(int status) {
  if (status != CG_OK) cgp_error_exit();
}

/* The part of a rank, counted from 1. With more than `count` ranks, some have none. */
static void part_of(int of_rank, int count, cgsize_t* first, cgsize_t* last) {
  *first = (cgsize_t)count * of_rank / ranks + 1;
  *last = (cgsize_t)count * (of_rank + 1) / ranks;
}

/* The value in array `set` of a kind, at an element counted from 1. */
static double value_at(int kind, int set, cgsize_t n) { return kind + 0.25 * set + (double)n; }

typedef double Values[SETS][VERTICES];

static void fill(int kind, cgsize_t first, cgsize_t last, Values values) {
  for (int set = 0; set < SETS; ++set)
    for (cgsize_t n = first; n <= last; ++n) values[set][n - first] = value_at(kind, set, n);
}

static int count_wrong(int kind, cgsize_t first, cgsize_t last, Values values) {
  int wrong = 0;
  for (int set = 0; set < SETS; ++set)
    for (cgsize_t n = first; n <= last; ++n)
      wrong += values[set][n - first] != value_at(kind, set, n);
  return wrong;
}

/* A wedge has three corners of a triangle, and three of the next one. */
static cgsize_t corner(cgsize_t wedge, int n) { return 3 * (wedge - 1) + n + 1; }

static void write_elements(void) {
  static cgsize_t nodes[WEDGES][CORNERS];
  cgsize_t first, last;
  int section;
  part_of(rank, WEDGES, &first, &last);
  for (cgsize_t wedge = first; wedge <= last; ++wedge)
    for (int n = 0; n < CORNERS; ++n) nodes[wedge - first][n] = corner(wedge, n);
  check(cgp_section_write(file, 1, 1, "Wedges", CGNS_ENUMV(PENTA_6), 1, WEDGES, 0, &section));
  check(cgp_elements_write_data(file, 1, 1, section, first, last, nodes[0]));
}

static void create_nodes(int coordinates[SETS], int fields[SETS], int arrays[SETS]) {
  const cgsize_t sizes[3] = {VERTICES, WEDGES, 0}, count = VERTICES;
  const CGNS_ENUMT(DataType_t) type = CGNS_ENUMV(RealDouble);
  int base, zone, solution;
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Unstructured), &zone));
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  check(cg_goto(file, base, "Zone_t", zone, "end"));
  check(cg_user_data_write("Data"));
  check(cg_gorel(file, "Data", 0, "end"));
  for (int set = 0; set < SETS; ++set) {
    check(cgp_coord_write(file, base, zone, type, coordinate_names[set], coordinates + set));
    check(cgp_field_write(file, base, zone, solution, type, field_names[set], fields + set));
    check(cgp_array_write(array_names[set], type, 1, &count, arrays + set));
  }
}

static void write_file(const char* name, int several) {
  static Values x, u, a;
  const void *xs[SETS] = {x[0], x[1], x[2]}, *us[SETS] = {u[0], u[1], u[2]};
  const void* as[SETS] = {a[0], a[1], a[2]};
  int coordinates[SETS], fields[SETS], arrays[SETS];
  cgsize_t low, high;
  part_of(rank, VERTICES, &low, &high);
  fill(0, low, high, x);
  fill(1000, low, high, u);
  fill(2000, low, high, a);
  check(cgp_open(name, CG_MODE_WRITE, &file));
  create_nodes(coordinates, fields, arrays);
  write_elements();
  check(cg_goto(file, 1, "Zone_t", 1, "Data", 0, "end"));
  if (several) {
    check(cgp_coord_multi_write_data(file, 1, 1, coordinates, &low, &high, SETS, xs));
    check(cgp_field_multi_write_data(file, 1, 1, 1, fields, &low, &high, SETS, us));
    check(cgp_array_multi_write_data(file, arrays, &low, &high, SETS, as));
  } else {
    for (int set = 0; set < SETS; ++set) {
      check(cgp_coord_write_data(file, 1, 1, coordinates[set], &low, &high, x[set]));
      check(cgp_field_write_data(file, 1, 1, 1, fields[set], &low, &high, u[set]));
      check(cgp_array_write_data(arrays[set], &low, &high, a[set]));
    }
  }
  check(cgp_close(file));
}

/* Reads the part of the next rank and returns the number of values that differ. */
static int compare(const char* name, int several) {
  static Values x, u, a;
  static cgsize_t nodes[WEDGES][CORNERS];
  void *xs[SETS] = {x[0], x[1], x[2]}, *us[SETS] = {u[0], u[1], u[2]};
  void* as[SETS] = {a[0], a[1], a[2]};
  int all[SETS] = {1, 2, 3}, wrong = 0;
  const int next = (rank + 1) % ranks;
  cgsize_t low, high, first, last;
  part_of(next, VERTICES, &low, &high);
  part_of(next, WEDGES, &first, &last);
  check(cgp_open(name, CG_MODE_MODIFY, &file));
  check(cgp_elements_read_data(file, 1, 1, 1, first, last, nodes[0]));
  check(cg_goto(file, 1, "Zone_t", 1, "Data", 0, "end"));
  if (several) {
    check(cgp_coord_multi_read_data(file, 1, 1, all, &low, &high, SETS, xs));
    check(cgp_field_multi_read_data(file, 1, 1, 1, all, &low, &high, SETS, us));
    check(cgp_array_multi_read_data(file, all, &low, &high, SETS, as));
  } else {
    for (int set = 0; set < SETS; ++set) {
      check(cgp_coord_read_data(file, 1, 1, set + 1, &low, &high, x[set]));
      check(cgp_field_read_data(file, 1, 1, 1, set + 1, &low, &high, u[set]));
      check(cgp_array_read_data(set + 1, &low, &high, a[set]));
    }
  }
  check(cgp_close(file));
  for (cgsize_t wedge = first; wedge <= last; ++wedge)
    for (int n = 0; n < CORNERS; ++n) wrong += nodes[wedge - first][n] != corner(wedge, n);
  return wrong + count_wrong(0, low, high, x) + count_wrong(1000, low, high, u) +
         count_wrong(2000, low, high, a);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int several = 0; several < 2; ++several)
    for (int mode = CGP_INDEPENDENT; mode <= CGP_COLLECTIVE; ++mode) {
      check(cgp_pio_mode((CGNS_ENUMT(PIOmode_t))mode));
      write_file("wedges.cgns", several);
      const int wrong = compare("wedges.cgns", several);
      if (wrong > 0) {
        printf("rank %d finds %d other numbers\n", rank, wrong);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
      }
    }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
