// Families: a wing with a flap, the boundary condition of its surfaces, the file with its geometry,
// and the zone that belongs to it.

#include <cgnslib.h>
#include <stdio.h>

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write(const char* path) {
  int file, base, zone, family, condition, geometry, part;
  const cgsize_t sizes[9] = {9, 5, 5, 8, 4, 4, 0, 0, 0};
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Aircraft", 3, 3, &base));
  check(cg_zone_write(file, base, "Around the wing", sizes, CGNS_ENUMV(Structured), &zone));

  // A family holds what surfaces or zones of one kind have in common.
  check(cg_family_write(file, base, "Wing", &family));
  check(cg_fambc_write(file, base, family, "Skin", CGNS_ENUMV(BCWallViscous), &condition));
  check(cg_geo_write(file, base, family, "Shape", "wing.igs", "NASA-IGES", &geometry));
  check(cg_part_write(file, base, family, geometry, "Upper side", &part));

  // Families may be nested; a path leads to the inner ones.
  check(cg_family_write(file, base, "/Aircraft/Wing/Flap", &family));
  check(cg_goto(file, base, "Wing", 0, "Flap", 0, "end"));
  check(cg_node_fambc_write("Hinge", CGNS_ENUMV(BCWallInviscid), &condition));

  // The zone belongs to two families.
  check(cg_goto(file, base, "Zone_t", zone, "end"));
  check(cg_famname_write("Wing"));
  check(cg_multifam_write("Moves with", "Aircraft/Wing/Flap"));
  check(cg_close(file));
}

static void print(const char* path) {
  int file, families, conditions, geometries, parts, others;
  char name[33], format[33], family[661];
  char* shape = NULL;
  CGNS_ENUMT(BCType_t) type;
  check(cg_open(path, CG_MODE_READ, &file));
  check(cg_nfamilies(file, 1, &families));
  for (int i = 1; i <= families; ++i) {
    check(cg_family_read(file, 1, i, name, &conditions, &geometries));
    printf("family %s\n", name);
    for (int k = 1; k <= conditions; ++k) {
      check(cg_fambc_read(file, 1, i, k, name, &type));
      printf("  condition %s: %s\n", name, cg_BCTypeName(type));
    }
    for (int k = 1; k <= geometries; ++k) {
      check(cg_geo_read(file, 1, i, k, name, &shape, format, &parts));
      printf("  geometry %s: %s as %s, %d part\n", name, shape, format, parts);
      check(cg_free(shape));
    }
  }
  check(cg_goto(file, 1, "Zone_t", 1, "end"));
  check(cg_famname_read(family));
  check(cg_nmultifam(&others));
  printf("the zone belongs to %s, and to %d more:\n", family, others);
  for (int i = 1; i <= others; ++i) {
    check(cg_multifam_read(i, name, family));
    printf("  %s: %s\n", name, family);
  }
  check(cg_close(file));
}

int main(void) {
  write("families.cgns");
  print("families.cgns");
  return 0;
}
