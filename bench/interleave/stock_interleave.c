/* Stock parallel HDF5 writes the pieces: each rank writes all of its own by one call, independent
 * or collective. */
#include "../programs/stock_program.h"
#include "interleaved.h"

typedef struct Target {
  hid_t dataset;
  hid_t memory;
  hid_t space;
  hid_t transfer;
} Target;

static Target create_dataset(hid_t file, const Bench* bench, const Interleaved* pieces) {
  Target target;
  const hsize_t shape[] = {interleaved_end(pieces)};
  target.space = checked(H5Screate_simple(1, shape, NULL), "dataspace");
  target.dataset = checked(H5Dcreate2(file, BENCH_PIECES_DATASET, H5T_STD_U8LE, target.space,
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           "dataset");
  const hsize_t own[] = {pieces->mine * pieces->size};
  target.memory = checked(H5Screate_simple(1, own, NULL), "dataspace");
  const hsize_t start[] = {interleaved_at(bench, pieces, 0)};
  const hsize_t stride[] = {(hsize_t)bench->ranks * pieces->size};
  const hsize_t count[] = {pieces->mine};
  const hsize_t block[] = {pieces->size};
  if (pieces->mine > 0) {
    check(H5Sselect_hyperslab(target.space, H5S_SELECT_SET, start, stride, count, block), "part");
  } else {
    check(H5Sselect_none(target.space), "part");
    check(H5Sselect_none(target.memory), "part");
  }
  target.transfer = stock_transfer(strcmp(bench->options.setting, "collective") == 0);
  return target;
}

static void write_pieces(void* context, const Interleaved* pieces) {
  const Target* to = (const Target*)context;
  check(H5Dwrite(to->dataset, H5T_NATIVE_UCHAR, to->memory, to->space, to->transfer, pieces->data),
        "write");
}

static void read_all(const Bench* bench, const Interleaved* pieces, unsigned char* out) {
  const hid_t file =
      checked(H5Fopen(bench->options.file, H5F_ACC_RDONLY, H5P_DEFAULT), bench->options.file);
  const hid_t dataset = checked(H5Dopen2(file, BENCH_PIECES_DATASET, H5P_DEFAULT), "dataset");
  const hsize_t start[] = {pieces->shift};
  const hsize_t count[] = {pieces->count * pieces->size};
  const hid_t memory = checked(H5Screate_simple(1, count, NULL), "dataspace");
  const hid_t space = checked(H5Dget_space(dataset), "dataspace");
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL), "pieces");
  check(H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, H5P_DEFAULT, out), "read");
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}

int main(int argc, char** argv) {
  Bench bench;
  stock_begin(&bench, argc, argv);
  Interleaved pieces = interleaved_begin(&bench);
  bench_step_begin(&bench, "small_writes", "create");
  const hid_t file = stock_create_aligned(&bench, 0);
  Target target = create_dataset(file, &bench, &pieces);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  bench_step_end(&bench);
  interleaved_write(&bench, &pieces, write_pieces, &target);
  bench_step_begin(&bench, "small_writes", "close");
  H5Pclose(target.transfer);
  H5Sclose(target.memory);
  H5Sclose(target.space);
  H5Dclose(target.dataset);
  check(H5Fclose(file), "close");
  bench_step_end(&bench);
  interleaved_check(&bench, &pieces, read_all);
  return stock_end(&bench, NULL);
}
