/* The common part of the programs over a CGNS library. With BENCH_SERIAL_CGNS the library is
 * Debian's, for one process; otherwise it is Onecast's. */
#ifndef ONECAST_BENCH_CGNS_PROGRAM_H
#define ONECAST_BENCH_CGNS_PROGRAM_H

#include "../metadata/bench_program.h"

#ifdef BENCH_SERIAL_CGNS
#include <cgnslib.h>
#define BENCH_PROGRAM "libcgns"
#define bench_cgns_open cg_open
#define bench_cgns_close cg_close
#else
#include <pcgnslib.h>
#define BENCH_PROGRAM "onecast"
#define bench_cgns_open cgp_open
#define bench_cgns_close cgp_close
#endif

static inline void check(int status) {
  if (status != CG_OK) bench_fail("CGNS failed", cg_get_error());
}

static inline void cgns_begin(Bench* bench, int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bench_begin(bench, argc, argv);
#ifdef BENCH_SERIAL_CGNS
  if (bench->ranks != 1) bench_fail("libcgns", "is built for one process");
  check(cg_set_file_type(CG_FILE_HDF5));
#endif
}

/* `contents` is as in bench_report. */
static inline int cgns_end(const Bench* bench, const Contents* contents) {
  char library[32];
#ifdef BENCH_SERIAL_CGNS
  snprintf(library, sizeof library, "libcgns %g", CGNS_DOTVERS);
#else
  snprintf(library, sizeof library, "Onecast %s", ONECAST_VERSION);
#endif
  bench_report(bench, BENCH_PROGRAM, library, contents);
  MPI_Finalize();
  return 0;
}

static inline int cgns_open(const Bench* bench, int mode) {
  int file = 0;
  check(bench_cgns_open(bench->options.file, mode, &file));
  return file;
}

static inline void cgns_close(int file) { check(bench_cgns_close(file)); }

/* Creates an array of real numbers, one for each vertex of the zone. The ranks write its values
 * later; the library for one process writes them at once. */
static inline void cgns_write_coordinate(int file, int base, int zone, const char* name,
                                         const double* values) {
  int index = 0;
#ifdef BENCH_SERIAL_CGNS
  check(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), name, values, &index));
#else
  (void)values;
  check(cgp_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), name, &index));
#endif
}

static inline void cgns_write_field(int file, int base, int zone, int solution, const char* name,
                                    const double* values) {
  int index = 0;
#ifdef BENCH_SERIAL_CGNS
  check(cg_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), name, values, &index));
#else
  (void)values;
  check(cgp_field_write(file, base, zone, solution, CGNS_ENUMV(RealDouble), name, &index));
#endif
}

#endif
