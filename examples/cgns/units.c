// Units give the numbers of a file a meaning. The base has the units of the whole file; an array
// has the powers of mass, length, time, temperature and angle of its numbers.

#include <cgnslib.h>
#include <stdio.h>

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write(const char* path) {
  int file, base, zone, index;
  const cgsize_t sizes[9] = {3, 2, 2, 2, 1, 1, 0, 0, 0};
  const double x[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_goto(file, base, "end"));
  check(cg_dataclass_write(CGNS_ENUMV(Dimensional)));
  check(cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second),
                       CGNS_ENUMV(Kelvin), CGNS_ENUMV(Degree)));

  // A length: the first power of length.
  const float length[5] = {0, 1, 0, 0, 0};
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), "CoordinateX", x, &index));
  check(cg_goto(file, base, "Zone_t", zone, "GridCoordinates_t", 1, "DataArray_t", index, "end"));
  check(cg_exponents_write(CGNS_ENUMV(RealSingle), length));

  // The free stream: a pressure in units of its own, and a dimensionless number.
  const cgsize_t one = 1;
  const double pressure = 14.7, mach = 0.84;
  const float force_per_area[5] = {1, -1, -2, 0, 0};
  check(cg_goto(file, base, "end"));
  check(cg_state_write("free stream"));
  check(cg_goto(file, base, "ReferenceState_t", 1, "end"));
  check(cg_array_write("Pressure", CGNS_ENUMV(RealDouble), 1, &one, &pressure));
  check(cg_array_write("Mach", CGNS_ENUMV(RealDouble), 1, &one, &mach));
  check(cg_gorel(file, "Pressure", 0, "end"));
  check(cg_units_write(CGNS_ENUMV(PoundMass), CGNS_ENUMV(Inch), CGNS_ENUMV(Second),
                       CGNS_ENUMV(Rankine), CGNS_ENUMV(Degree)));
  check(cg_exponents_write(CGNS_ENUMV(RealSingle), force_per_area));
  check(cg_gorel(file, "..", 0, "Mach", 0, "end"));
  check(cg_dataclass_write(CGNS_ENUMV(NondimensionalParameter)));
  check(cg_close(file));
}

/// Prints the units of the array at the current position.
static void print_dimensions(const char* name) {
  CGNS_ENUMT(DataClass_t) class;
  CGNS_ENUMT(MassUnits_t) mass;
  CGNS_ENUMT(LengthUnits_t) length;
  CGNS_ENUMT(TimeUnits_t) time;
  CGNS_ENUMT(TemperatureUnits_t) temperature;
  CGNS_ENUMT(AngleUnits_t) angle;
  float powers[5];
  printf("%s:", name);
  if (cg_dataclass_read(&class) == CG_OK) printf(" %s", cg_DataClassName(class));
  if (cg_exponents_read(powers) == CG_OK)
    printf(" mass^%g length^%g time^%g", powers[0], powers[1], powers[2]);
  if (cg_units_read(&mass, &length, &time, &temperature, &angle) == CG_OK)
    printf(" in %s, %s, %s", cg_MassUnitsName(mass), cg_LengthUnitsName(length),
           cg_TimeUnitsName(time));
  printf("\n");
}

static void print(const char* path) {
  int file;
  check(cg_open(path, CG_MODE_READ, &file));
  check(cg_goto(file, 1, "end"));
  print_dimensions("all");
  check(cg_gopath(file, "/Base/Zone/GridCoordinates/CoordinateX"));
  print_dimensions("coordinates");
  check(cg_gopath(file, "/Base/ReferenceState/Pressure"));
  print_dimensions("pressure");
  check(cg_gopath(file, "/Base/ReferenceState/Mach"));
  print_dimensions("Mach number");
  check(cg_close(file));
}

int main(void) {
  write("units.cgns");
  print("units.cgns");
  return 0;
}
