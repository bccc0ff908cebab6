/* The common part of the programs over stock parallel HDF5: errors, property lists, start, end. */
#ifndef ONECAST_BENCH_STOCK_PROGRAM_H
#define ONECAST_BENCH_STOCK_PROGRAM_H

#include <hdf5.h>

#include "../metadata/bench_program.h"

static inline hid_t checked(hid_t id, const char* what) {
  if (id >= 0) return id;
  H5Eprint2(H5E_DEFAULT, stderr);
  bench_fail("HDF5 failed", what);
  return id;
}

static inline void check(herr_t status, const char* what) { checked(status, what); }

static inline void stock_begin(Bench* bench, int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bench_begin(bench, argc, argv);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* `contents` is as in bench_report. */
static inline int stock_end(const Bench* bench, const Contents* contents) {
  char library[32];
  snprintf(library, sizeof library, "HDF5 %d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
  bench_report(bench, "stock", library, contents);
  MPI_Finalize();
  return 0;
}

/* Returns the access list of a file that all ranks open. */
static inline hid_t stock_access(void) {
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "property list");
  check(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "MPI-IO");
  return access;
}

/* Creates a file whose large raw data begins at multiples of 1 MiB, so that no library has more
 * stripes to write. */
static inline hid_t stock_create_aligned(const Bench* bench, int collective_metadata) {
  const hid_t access = stock_access();
  check(H5Pset_coll_metadata_write(access, collective_metadata), "collective metadata writes");
  check(H5Pset_alignment(access, 1 << 16, 1 << 20), "alignment");
  const hid_t file = checked(H5Fcreate(bench->options.file, H5F_ACC_TRUNC, H5P_DEFAULT, access),
                             bench->options.file);
  H5Pclose(access);
  return file;
}

/* Returns the transfer list for raw data. */
static inline hid_t stock_transfer(int collective) {
  const hid_t transfer = checked(H5Pcreate(H5P_DATASET_XFER), "property list");
  check(H5Pset_dxpl_mpio(transfer, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT),
        "transfer");
  return transfer;
}

#endif
