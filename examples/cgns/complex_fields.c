/* Complex numbers: the amplitudes of a harmonic solution. */
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>

enum { NI = 4, NJ = 3, NK = 2, VERTICES = NI * NJ * NK };

/* The layout of C's complex numbers in memory. */
typedef struct Amplitude {
  double real, imaginary;
} Amplitude;

typedef struct Mode {
  float real, imaginary;
} Mode;

static void check(int status) {
  if (status != CG_OK) cg_error_exit();
}

static void write_file(const char* name, const Amplitude* amplitudes) {
  const cgsize_t sizes[9] = {NI, NJ, NK, NI - 1, NJ - 1, NK - 1, 0, 0, 0};
  const cgsize_t two = 2;
  const Mode modes[2] = {{1, 2}, {3, -4}};
  int file, base, zone, solution, field;
  check(cg_open(name, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "Base", 3, 3, &base));
  check(cg_zone_write(file, base, "Zone", sizes, CGNS_ENUMV(Structured), &zone));
  check(cg_sol_write(file, base, zone, "Harmonic", CGNS_ENUMV(Vertex), &solution));
  check(cg_field_write(file, base, zone, solution, CGNS_ENUMV(ComplexDouble), "Pressure",
                       amplitudes, &field));
  check(cg_goto(file, base, "end"));
  check(cg_user_data_write("Modes"));
  check(cg_gorel(file, "Modes", 0, "end"));
  check(cg_array_write("Amplitudes", CGNS_ENUMV(ComplexSingle), 1, &two, modes));
  check(cg_close(file));
}

static int is_as_written(const char* name, const Amplitude* amplitudes) {
  const cgsize_t low[3] = {1, 1, NK}, high[3] = {NI, NJ, NK};
  Amplitude found[NI * NJ];
  Mode modes[2];
  char field[33];
  CGNS_ENUMT(DataType_t) type;
  int file, same = 1;
  check(cg_open(name, CG_MODE_READ, &file));
  check(cg_field_info(file, 1, 1, 1, 1, &type, field));
  check(cg_field_read(file, 1, 1, 1, field, type, low, high, found));
  check(cg_goto(file, 1, "Modes", 0, "end"));
  check(cg_array_read(1, modes));
  check(cg_close(file));
  printf("%s: %s, the first of the last plane is %g + %gi\n", field, cg_DataTypeName(type),
         found[0].real, found[0].imaginary);
  for (int n = 0; n < NI * NJ; ++n) {
    const Amplitude* expected = &amplitudes[(NK - 1) * NI * NJ + n];
    same = same && found[n].real == expected->real && found[n].imaginary == expected->imaginary;
  }
  return same && type == CGNS_ENUMV(ComplexDouble) && modes[1].imaginary == -4;
}

int main(void) {
  Amplitude amplitudes[VERTICES];
  for (int n = 0; n < VERTICES; ++n) {
    amplitudes[n].real = n;
    amplitudes[n].imaginary = -0.25 * n;
  }
  write_file("complex_fields.cgns", amplitudes);
  return is_as_written("complex_fields.cgns", amplitudes) ? EXIT_SUCCESS : EXIT_FAILURE;
}
