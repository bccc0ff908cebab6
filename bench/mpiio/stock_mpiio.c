/* Stock parallel HDF5 reads the pieces: every rank reads each of them. */
#include "../programs/stock_program.h"
#include "pieces.h"

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
  Bench bench;
  stock_begin(&bench, argc, argv);
  Pieces pieces = bench_pieces(&bench);
  const int collective = strcmp(bench.options.setting, "collective") == 0;
  const hid_t access = stock_access();
  check(H5Pset_all_coll_metadata_ops(access, 1), "collective metadata reads");
  const hid_t transfer = stock_transfer(collective);
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
  return stock_end(&bench, NULL);
}
