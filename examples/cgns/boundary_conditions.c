/* Boundary conditions of a structured zone: the inflow is a range of vertices with a velocity, the
   wall a list of faces. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 21, NJ = 17, NK = 9 };
enum { FACES = (NI - 1) * (NK - 1) };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* Writes the inflow: the plane of vertices with the lowest first index, and one velocity for all of
   it. */
static void write_inflow(int file, int base, int zone) {
  const cgsize_t range[2][3] = {{1, 1, 1}, {1, NJ, NK}};
  const cgsize_t one = 1;
  const double velocity = 12.5;
  int condition, set;
  check(cg_boco_write(file, base, zone, "Inflow", CGNS_ENUMV(BCInflowSubsonic),
                      CGNS_ENUMV(PointRange), 2, range[0], &condition));
  check(cg_dataset_write(file, base, zone, condition, "State", CGNS_ENUMV(BCInflowSubsonic), &set));
  check(cg_bcdata_write(file, base, zone, condition, set, CGNS_ENUMV(Dirichlet)));
  check(cg_goto(file, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", condition, "BCDataSet_t", set,
                "BCData_t", CGNS_ENUMV(Dirichlet), "end"));
  check(cg_array_write("VelocityX", CGNS_ENUMV(RealDouble), 1, &one, &velocity));
}

/* Writes the wall: the faces with the lowest second index, whose normals all lie in that direction.
 */
static void write_wall(int file, int base, int zone) {
  static cgsize_t faces[FACES][3];
  const int normal[3] = {0, 1, 0};
  int condition, f = 0;
  for (int k = 1; k < NK; ++k)
    for (int i = 1; i < NI; ++i, ++f) {
      faces[f][0] = i;
      faces[f][1] = 1;
      faces[f][2] = k;
    }
  check(cg_boco_write(file, base, zone, "Wall", CGNS_ENUMV(BCWallViscous), CGNS_ENUMV(PointList),
                      FACES, faces[0], &condition));
  check(cg_boco_gridlocation_write(file, base, zone, condition, CGNS_ENUMV(JFaceCenter)));
  check(cg_boco_normal_write(file, base, zone, condition, normal, 0, CGNS_ENUMV(RealDouble), NULL));
}

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  int file, base, zone;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone  1", sizes, CGNS_ENUMV(Structured), &zone));
  write_inflow(file, base, zone);
  write_wall(file, base, zone);
  check(cg_close(file));
}

/* Prints the conditions and returns their number of points. */
static cgsize_t read_conditions(int file) {
  cgsize_t all = 0;
  int conditions;
  check(cg_nbocos(file, 1, 1, &conditions));
  for (int c = 1; c <= conditions; ++c) {
    char name[33];
    CGNS_ENUMT(BCType_t) type;
    CGNS_ENUMT(PointSetType_t) form;
    CGNS_ENUMT(DataType_t) normal_type;
    CGNS_ENUMT(GridLocation_t) location;
    cgsize_t points, normals;
    int direction[3], sets;
    check(cg_boco_info(file, 1, 1, c, name, &type, &form, &points, direction, &normals,
                       &normal_type, &sets));
    check(cg_boco_gridlocation_read(file, 1, 1, c, &location));
    cgsize_t* indices = malloc((size_t)points * 3 * sizeof *indices);
    if (indices == NULL) exit(EXIT_FAILURE);
    check(cg_boco_read(file, 1, 1, c, indices, NULL));
    printf("%s: %s, %s of %d at %s, from (%d, %d, %d); sets of data: %d\n", name,
           cg_BCTypeName(type), cg_PointSetTypeName(form), (int)points,
           cg_GridLocationName(location), (int)indices[0], (int)indices[1], (int)indices[2], sets);
    free(indices);
    all += points;
  }
  return all;
}

int main(void) {
  double velocity = 0;
  int file;
  write_file("boundary_conditions.cgns");
  check(cg_open("boundary_conditions.cgns", CG_MODE_READ, &file));
  const cgsize_t points = read_conditions(file);
  check(cg_goto(file, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", 1, "BCDataSet_t", 1, "BCData_t",
                CGNS_ENUMV(Dirichlet), "end"));
  check(cg_array_read(1, &velocity));
  check(cg_close(file));
  return points == 2 + FACES && velocity == 12.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
