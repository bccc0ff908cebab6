/* Many zones, which are listed in the order of their names, not in that of their creation. Some are
   deleted, others are replaced. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZONES = 120, N = 3 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_zone(int file, int number, int vertices) {
  const cgsize_t n = vertices, c = vertices - 1;
  const cgsize_t sizes[9] = {n, n, n, c, c, c, 0, 0, 0};
  char name[33];
  int zone;
  sprintf(name, "Zone%d", number);
  check(cg_zone_write(file, 1, name, sizes, CGNS_ENUMV(Structured), &zone));
}

/* Deletes zone 7 and enlarges zone 8. */
static void change(int file) {
  check(cg_goto(file, 1, "end"));
  check(cg_delete_node("Zone7"));
  write_zone(file, 8, N + 1);
}

int main(void) {
  char name[33], before[33] = "";
  int file, base, zones, same = 1, larger = 0;
  check(cg_open("many_zones.cgns", CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  for (int z = 1; z <= ZONES; ++z) write_zone(file, z, N);
  check(cg_close(file));
  check(cg_open("many_zones.cgns", CG_MODE_MODIFY, &file));
  change(file);
  check(cg_close(file));

  check(cg_open("many_zones.cgns", CG_MODE_READ, &file));
  check(cg_nzones(file, 1, &zones));
  for (int z = 1; z <= zones; ++z) {
    cgsize_t sizes[9];
    check(cg_zone_read(file, 1, z, name, sizes));
    same = same && strcmp(before, name) < 0;
    larger += sizes[0] == N + 1 && strcmp(name, "Zone8") == 0;
    strcpy(before, name);
  }
  check(cg_close(file));
  printf("%d zones, the last one is %s\n", zones, name);
  return same && zones == ZONES - 1 && larger == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
