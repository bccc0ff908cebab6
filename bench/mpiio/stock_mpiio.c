/* Stock parallel HDF5 reads the pieces, all ranks each of them. */
#include <hdf5.h>

#include "pieces.h"

static hid_t checked(hid_t id, const char* what) {
  if (id < 0) bench_fail("HDF5 failed", what);
  return id;
}

static void check(herr_t status, const char* what) { checked(status, what); }

static void read_all_pieces(hid_t dataset, hid_t transfer, Pieces* pieces) {
  const hsize_t shape[] = {1, pieces->size};
  const hid_t memory = checked(H5Screate_simple(2, shape, NULL), "dataspace");
  const hid_t space = checked(H5Dget_space(dataset), "dataspace");
  for (uint64_t i = 0; i < pieces->count; ++i) {
    const hsize_t start[] = {i, 0};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL), "selection");
    check(H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, transfer, bench_piece(pieces, i)),
          "read");
  }
  H5Sclose(space);
  H5Sclose(memory);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Bench bench;
  bench_begin(&bench, argc, argv);
  Pieces pieces = bench_pieces(&bench);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const int collective = strcmp(bench.options.setting, "collective") == 0;
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "property list");
  check(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "MPI-IO");
  check(H5Pset_all_coll_metadata_ops(access, 1), "collective metadata reads");
  const hid_t transfer = checked(H5Pcreate(H5P_DATASET_XFER), "property list");
  check(H5Pset_dxpl_mpio(transfer, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT),
        "transfer");
  bench_step_begin(&bench, "small_reads", "open");
  const hid_t file =
      checked(H5Fopen(bench.options.file, H5F_ACC_RDONLY, access), bench.options.file);
  const hid_t dataset = checked(H5Dopen2(file, BENCH_PIECES_DATASET, H5P_DEFAULT), "dataset");
  bench_step_end(&bench);
  bench_step_begin(&bench, "small_reads", "read");
  read_all_pieces(dataset, transfer, &pieces);
  bench_step_end(&bench);
  H5Dclose(dataset);
  H5Fclose(file);
  H5Pclose(transfer);
  H5Pclose(access);
  bench_check_pieces(&pieces);
  char library[32];
  snprintf(library, sizeof library, "HDF5 %d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
  bench_report(&bench, "stock", library, NULL);
  MPI_Finalize();
  return 0;
}
