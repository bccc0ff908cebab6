/* Writes a file of B bases x Z zones with the CGNS library: cgns_write FILE B Z. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: cgns_write FILE BASES ZONES\n");
    return 2;
  }
  const int bases = atoi(argv[2]);
  const int zones = atoi(argv[3]);
  const cgsize_t sizes[9] = {3, 3, 3, 2, 2, 2, 0, 0, 0}; /* vertices, cells, boundary vertices */
  int file = 0;
  check(cg_set_file_type(CG_FILE_HDF5));
  check(cg_open(argv[1], CG_MODE_WRITE, &file));
  for (int b = 1; b <= bases; ++b) {
    char name[33];
    int base = 0;
    snprintf(name, sizeof name, "Base%d", b);
    check(cg_base_write(file, name, 3, 3, &base));
    for (int z = 1; z <= zones; ++z) {
      int zone = 0;
      snprintf(name, sizeof name, "Zone%d", z);
      check(cg_zone_write(file, base, name, sizes, CGNS_ENUMV(Structured), &zone));
    }
  }
  check(cg_close(file));
  return 0;
}
