/* Creates a CGNS file of B bases x Z zones, opens it, looks at everything and closes it, with
 * Onecast's library on any number of ranks, or with libcgns on one. See README.md. */
#include "cgns_program.h"

enum { kVertices = 3, kNameSize = 33 };

static Bench bench;
static int file;

/* ---- create ---- */

/* A full zone has coordinates, a solution, a boundary condition and a connection to the next zone.
 * */
static int is_full(void) { return strcmp(bench.options.setting, "full") == 0; }

static void write_arrays(int base, int zone) {
  static const char* const coordinates[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  static const char* const fields[] = {"Density", "Pressure", "VelocityX"};
  const double values[kVertices * kVertices * kVertices] = {0};
  int solution = 0;
  check(cg_sol_write(file, base, zone, "Solution", CGNS_ENUMV(Vertex), &solution));
  for (int i = 0; i < 3; ++i) {
    cgns_write_coordinate(file, base, zone, coordinates[i], values);
    cgns_write_field(file, base, zone, solution, fields[i], values);
  }
}

static void write_faces(int base, int zone) {
  const cgsize_t low[6] = {1, 1, 1, 1, kVertices, kVertices};
  const cgsize_t high[6] = {kVertices, 1, 1, kVertices, kVertices, kVertices};
  const int transform[3] = {1, 2, 3};
  const int next = zone % bench.options.zones + 1;
  char donor[kNameSize];
  int index = 0;
  snprintf(donor, sizeof donor, "Zone%d", next);
  check(cg_boco_write(file, base, zone, "Wall", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointRange), 2, low,
                      &index));
  check(cg_1to1_write(file, base, zone, "Next", donor, high, low, transform, &index));
}

static void create(void) {
  const int cells = kVertices - 1;
  const cgsize_t sizes[9] = {kVertices, kVertices, kVertices, cells, cells, cells, 0, 0, 0};
  for (int b = 1; b <= bench.options.bases; ++b) {
    char name[kNameSize];
    int base = 0;
    snprintf(name, sizeof name, "Base%d", b);
    check(cg_base_write(file, name, 3, 3, &base));
    for (int z = 1; z <= bench.options.zones; ++z) {
      int zone = 0;
      snprintf(name, sizeof name, "Zone%d", z);
      check(cg_zone_write(file, base, name, sizes, CGNS_ENUMV(Structured), &zone));
      if (!is_full()) continue;
      write_arrays(base, zone);
      write_faces(base, zone);
    }
  }
}

static void run_create(void) {
  bench_step_begin(&bench, "create", "fill");
  file = cgns_open(&bench, CG_MODE_WRITE);
  create();
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "close");
  cgns_close(file);
  bench_step_end(&bench);
}

/* ---- open_read: what a program asks of every node, except the values of arrays ---- */

static void see(Contents* contents, const char* name, const cgsize_t* numbers, int count) {
  uint64_t hash = digest_item(name, 'N');
  for (int i = 0; i < count; ++i) hash = digest_number(hash, (uint64_t)(int64_t)numbers[i], 8);
  digest_add(contents, hash);
  ++contents->groups;
}

static void see_kind(Contents* contents, const char* name, int kind) {
  const cgsize_t number = kind;
  see(contents, name, &number, 1);
}

static void read_grid(int base, int zone, Contents* contents) {
  char name[kNameSize];
  int coordinates = 0;
  check(cg_ncoords(file, base, zone, &coordinates));
  for (int i = 1; i <= coordinates; ++i) {
    CGNS_ENUMT(DataType_t) type;
    check(cg_coord_info(file, base, zone, i, &type, name));
    see_kind(contents, name, (int)type);
  }
}

static void read_solutions(int base, int zone, Contents* contents) {
  char name[kNameSize];
  int solutions = 0;
  check(cg_nsols(file, base, zone, &solutions));
  for (int s = 1; s <= solutions; ++s) {
    CGNS_ENUMT(GridLocation_t) location;
    int fields = 0;
    check(cg_sol_info(file, base, zone, s, name, &location));
    see_kind(contents, name, (int)location);
    check(cg_nfields(file, base, zone, s, &fields));
    for (int i = 1; i <= fields; ++i) {
      CGNS_ENUMT(DataType_t) type;
      check(cg_field_info(file, base, zone, s, i, &type, name));
      see_kind(contents, name, (int)type);
    }
  }
}

static void read_boundaries(int base, int zone, Contents* contents) {
  char name[kNameSize];
  int boundaries = 0;
  check(cg_nbocos(file, base, zone, &boundaries));
  for (int i = 1; i <= boundaries; ++i) {
    CGNS_ENUMT(BCType_t) kind;
    CGNS_ENUMT(PointSetType_t) points_are;
    CGNS_ENUMT(DataType_t) normals_are;
    cgsize_t points = 0;
    cgsize_t normals = 0;
    cgsize_t range[6] = {0};
    int direction[3];
    int sets = 0;
    check(cg_boco_info(file, base, zone, i, name, &kind, &points_are, &points, direction, &normals,
                       &normals_are, &sets));
    if (points_are == CGNS_ENUMV(PointRange)) check(cg_boco_read(file, base, zone, i, range, NULL));
    see_kind(contents, name, (int)kind);
    see(contents, name, range, 6);
  }
}

static void read_connections(int base, int zone, Contents* contents) {
  char name[kNameSize];
  char donor[kNameSize * 2];
  int connections = 0;
  check(cg_n1to1(file, base, zone, &connections));
  for (int i = 1; i <= connections; ++i) {
    cgsize_t ranges[2][6] = {{0}, {0}};
    int transform[3];
    check(cg_1to1_read(file, base, zone, i, name, donor, ranges[0], ranges[1], transform));
    see(contents, name, ranges[0], 6);
    see(contents, donor, ranges[1], 6);
  }
}

static void read_zone(int base, int zone, Contents* contents) {
  char name[kNameSize];
  cgsize_t sizes[9] = {0};
  CGNS_ENUMT(ZoneType_t) type;
  int sections = 0;
  check(cg_zone_read(file, base, zone, name, sizes));
  check(cg_zone_type(file, base, zone, &type));
  check(cg_goto(file, base, "Zone_t", zone, "end"));
  see(contents, name, sizes, 9);
  see_kind(contents, name, (int)type);
  read_grid(base, zone, contents);
  read_solutions(base, zone, contents);
  read_boundaries(base, zone, contents);
  read_connections(base, zone, contents);
  check(cg_nsections(file, base, zone, &sections));
  see_kind(contents, "sections", sections);
}

static void read_all(Contents* contents) {
  char name[kNameSize];
  int bases = 0;
  memset(contents, 0, sizeof *contents);
  check(cg_nbases(file, &bases));
  for (int b = 1; b <= bases; ++b) {
    int dimensions[2];
    int zones = 0;
    check(cg_base_read(file, b, name, &dimensions[0], &dimensions[1]));
    see_kind(contents, name, dimensions[0]);
    check(cg_nzones(file, b, &zones));
    for (int z = 1; z <= zones; ++z) read_zone(b, z, contents);
  }
}

static void run_open_read(Contents* contents) {
  bench_step_begin(&bench, "open_read", "open");
  file = cgns_open(&bench, CG_MODE_READ);
  bench_step_end(&bench);
  bench_step_begin(&bench, "open_read", "read");
  digest_enabled = 0;
  read_all(contents);
  bench_step_end(&bench);
  digest_enabled = 1;
  read_all(contents);
  bench_step_begin(&bench, "open_read", "close");
  cgns_close(file);
  bench_step_end(&bench);
}

int main(int argc, char** argv) {
  cgns_begin(&bench, argc, argv);
  Contents contents;
  const int reads = bench_has_phase(&bench, "open_read");
  if (bench_has_phase(&bench, "create")) run_create();
  if (reads) run_open_read(&contents);
  return cgns_end(&bench, reads ? &contents : NULL);
}
