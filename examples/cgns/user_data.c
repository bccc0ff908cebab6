/* Data for which CGNS has no node: arrays of all types in nested user-defined nodes, with units and
   points of their own. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 6, MOST_DIMENSIONS = 12 };

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

/* Arrays of 2 x 3 numbers, and a text. */
static void write_arrays(void) {
  const cgsize_t dims[2] = {2, 3}, length = 5;
  const int integers[COUNT] = {0, 1, 2, 3, 4, 5};
  const cglong_t longs[COUNT] = {0, -1, -2, -3, -4, -5};
  const float singles[COUNT] = {0, 0.5F, 1, 1.5F, 2, 2.5F};
  const double doubles[COUNT] = {0, 0.25, 0.5, 0.75, 1, 1.25};
  check(cg_array_write("Integers", CGNS_ENUMV(Integer), 2, dims, integers));
  check(cg_array_write("Longs", CGNS_ENUMV(LongInteger), 2, dims, longs));
  check(cg_array_write("Singles", CGNS_ENUMV(RealSingle), 2, dims, singles));
  check(cg_array_write("Doubles", CGNS_ENUMV(RealDouble), 2, dims, doubles));
  check(cg_array_write("Text", CGNS_ENUMV(Character), 1, &length, "probe"));
}

static void write_file(const char* name) {
  const cgsize_t sizes[9] = {4, 4, 4, 3, 3, 3, 0, 0, 0};
  const cgsize_t points[2][3] = {{1, 1, 1}, {2, 3, 4}};
  const double charge[8] = {0, 0, 1, 0, 0, 1, 0, 0}; /* time and current */
  const double conversion[2] = {1e-3, 0};
  int file, base, zone;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_goto(file, base, "Zone_t", zone, "end"));
  check(cg_user_data_write("Probes"));
  check(cg_gorel(file, "Probes", 0, "end"));
  check(cg_ptset_write(CGNS_ENUMV(PointList), 2, points[0]));
  check(cg_gridlocation_write(CGNS_ENUMV(Vertex)));
  check(cg_ordinal_write(3));
  write_arrays();

  /* All eight units and powers; the raw numbers are thousandths. */
  check(cg_gorel(file, "Doubles", 0, "end"));
  check(cg_unitsfull_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second),
                           CGNS_ENUMV(Kelvin), CGNS_ENUMV(Radian), CGNS_ENUMV(Ampere),
                           CGNS_ENUMV(Mole), CGNS_ENUMV(Candela)));
  check(cg_expfull_write(CGNS_ENUMV(RealDouble), charge));
  check(cg_conversion_write(CGNS_ENUMV(RealDouble), conversion));
  check(cg_gorel(file, "..", 0, "end"));
  check(cg_user_data_write("Below"));
  check(cg_gorel(file, "Below", 0, "end"));
  check(cg_user_data_write("Still below"));
  check(cg_close(file));
}

/* Reads each array as double precision, whatever its type in the file. */
static int arrays_are_as_written(void) {
  const double step[4] = {1, -1, 0.5, 0.25};
  int arrays, same = 1;
  check(cg_narrays(&arrays));
  for (int a = 1; a < arrays; ++a) {
    char name[33];
    CGNS_ENUMT(DataType_t) type;
    int dimensions;
    cgsize_t dims[MOST_DIMENSIONS];
    double values[COUNT];
    check(cg_array_info(a, name, &type, &dimensions, dims));
    check(cg_array_read_as(a, CGNS_ENUMV(RealDouble), values));
    printf("%s: %s, %d x %d\n", name, cg_DataTypeName(type), (int)dims[0], (int)dims[1]);
    for (int n = 0; n < COUNT; ++n) same = same && values[n] == n * step[a - 1];
  }
  return same && arrays == 5;
}

int main(void) {
  double powers[8], conversion[2];
  cgsize_t points, list[2][3];
  CGNS_ENUMT(PointSetType_t) form;
  char text[5];
  int file, ordinal, below, same;
  write_file("user_data.cgns");
  check(cg_open("user_data.cgns", CG_MODE_READ, &file));
  check(cg_goto(file, 1, "Zone_t", 1, "UserDefinedData_t", 1, "end"));
  same = arrays_are_as_written();
  check(cg_array_read(5, text));
  check(cg_ptset_info(&form, &points));
  check(cg_ptset_read(list[0]));
  check(cg_ordinal_read(&ordinal));
  check(cg_nuser_data(&below));
  check(cg_gorel(file, "Doubles", 0, "end"));
  check(cg_expfull_read(powers));
  check(cg_conversion_read(conversion));
  check(cg_close(file));
  same = same && memcmp(text, "probe", 5) == 0 && points == 2 && list[1][2] == 4 && ordinal == 3 &&
         below == 1 && powers[5] == 1 && conversion[0] == 1e-3;
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
