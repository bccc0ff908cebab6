/* Arrays from larger memory: a solver has ghost cells around its own cells, numbers of another
   type, and sometimes another shape of its arrays than the file. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 6, NJ = 5, NK = 4, GHOSTS = 2 }; /* vertices of the zone */
enum { MI = NI + 2 * GHOSTS, MJ = NJ + 2 * GHOSTS, MK = NK + 2 * GHOSTS }; /* of the memory */

static double memory[MK][MJ][MI];

static const cgsize_t memory_size[3] = {MI, MJ, MK};
static const cgsize_t memory_low[3] = {GHOSTS + 1, GHOSTS + 1, GHOSTS + 1};
static const cgsize_t memory_high[3] = {GHOSTS + NI, GHOSTS + NJ, GHOSTS + NK};
static const cgsize_t low[3] = {1, 1, 1}, high[3] = {NI, NJ, NK};

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* The value at the vertex with these indices in memory. */
static double value_at(int i, int j, int k) { return i + 100 * j + 10000 * k; }

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  const int rind[6] = {1, 1, 0, 0, 0, 0};
  int file, base, zone, solution, index;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_coord_general_write(file, base, zone, "CoordinateX", CGNS_ENUMV(RealDouble), low, high,
                               CGNS_ENUMV(RealDouble), 3, memory_size, memory_low, memory_high,
                               memory, &index));

  /* With a plane of rind at both ends of the first index: the core begins at 1, the rind at 0. */
  const cgsize_t rind_low[3] = {0, 1, 1}, rind_high[3] = {NI + 1, NJ, NK};
  const cgsize_t ghost_low[3] = {GHOSTS, GHOSTS + 1, GHOSTS + 1};
  const cgsize_t ghost_high[3] = {GHOSTS + NI + 1, GHOSTS + NJ, GHOSTS + NK};
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  check(cg_goto(file, base, "Zone_t", zone, "FlowSolution_t", solution, "end"));
  check(cg_rind_write(rind));
  check(cg_field_general_write(file, base, zone, solution, "Pressure", CGNS_ENUMV(RealDouble),
                               rind_low, rind_high, CGNS_ENUMV(RealDouble), 3, memory_size,
                               ghost_low, ghost_high, memory, &index));
  check(cg_close(file));
}

/* Reads to the middle of other memory, as numbers of single precision. */
static int box_is_as_written(int file) {
  static float found[MK][MJ][MI];
  int same = 1;
  check(cg_coord_general_read(file, 1, 1, "CoordinateX", low, high, CGNS_ENUMV(RealSingle), 3,
                              memory_size, memory_low, memory_high, found));
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = 0; i < NI; ++i)
        same = same && found[k + GHOSTS][j + GHOSTS][i + GHOSTS] ==
                           (float)value_at(i + GHOSTS, j + GHOSTS, k + GHOSTS);
  return same && found[0][0][0] == 0;
}

/* Reads all planes to one-dimensional memory. */
static int row_is_as_written(int file) {
  static double found[NK * NJ * (NI + 2)];
  const cgsize_t rind_low[3] = {0, 1, 1}, rind_high[3] = {NI + 1, NJ, NK};
  const cgsize_t first = 1, all = NK * NJ * (NI + 2);
  int n = 0, same = 1;
  check(cg_field_general_read(file, 1, 1, 1, "Pressure", rind_low, rind_high,
                              CGNS_ENUMV(RealDouble), 1, &all, &first, &all, found));
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j)
      for (int i = -1; i <= NI; ++i, ++n)
        same = same && found[n] == value_at(i + GHOSTS, j + GHOSTS, k + GHOSTS);
  return same;
}

int main(void) {
  int file, same;
  for (int k = 0; k < MK; ++k)
    for (int j = 0; j < MJ; ++j)
      for (int i = 0; i < MI; ++i) memory[k][j][i] = value_at(i, j, k);
  write_file("memory_boxes.cgns");
  check(cg_open("memory_boxes.cgns", CG_MODE_READ, &file));
  same = box_is_as_written(file) && row_is_as_written(file);
  check(cg_close(file));
  printf("%s\n", same ? "the core and the rind are there" : "other values are there");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
