/* A checkpoint by stock parallel HDF5: 8 datasets, each written by all ranks together, of which
 * rank r of n has every n-th piece; then flush and close. A dataset has `bases` MiB, a piece
 * `zones` bytes. */
#include "../programs/stock_program.h"

/* The string has a fixed length: the library does not write variable ones in parallel. */
static void set_unit(hid_t dataset) {
  const hid_t type = checked(H5Tcopy(H5T_C_S1), "type");
  checked(H5Tset_size(type, 3), "type");
  const hid_t scalar = checked(H5Screate(H5S_SCALAR), "dataspace");
  const hid_t unit =
      checked(H5Acreate2(dataset, "unit", type, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  checked(H5Awrite(unit, type, "m/s"), "attribute");
  H5Aclose(unit);
  H5Sclose(scalar);
  H5Tclose(type);
}

static void write_dataset(hid_t group, int number, hsize_t count, hsize_t size, int rank,
                          int ranks) {
  char name[16];
  snprintf(name, sizeof name, "field %d", number);
  const hsize_t shape[] = {count, size};
  const hid_t space = checked(H5Screate_simple(2, shape, NULL), "dataspace");
  const hid_t dataset =
      checked(H5Dcreate2(group, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              "dataset");
  set_unit(dataset);
  const hsize_t mine = count / (hsize_t)ranks;
  const hsize_t own[] = {mine, size};
  const hid_t memory = checked(H5Screate_simple(2, own, NULL), "dataspace");
  const hsize_t start[] = {(hsize_t)rank, 0};
  const hsize_t stride[] = {(hsize_t)ranks, size};
  const hsize_t many[] = {mine, 1};
  const hsize_t block[] = {1, size};
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, many, block), "part");
  const hid_t transfer = stock_transfer(1);
  unsigned char* data = malloc(mine * size);
  if (data == NULL) bench_fail("data", "out of memory");
  memset(data, rank + number, mine * size);
  checked(H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, space, transfer, data), "write");
  free(data);
  H5Pclose(transfer);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
}

static void write_checkpoint(const Bench* bench) {
  const hsize_t size = (hsize_t)bench->options.zones;
  const hsize_t count = ((hsize_t)bench->options.bases << 20) / size;
  /* These settings are a careful user's: data on stripes, metadata together and collective. */
  const hid_t access = stock_access();
  check(H5Pset_alignment(access, 1 << 16, 1 << 20), "alignment");
  check(H5Pset_all_coll_metadata_ops(access, 1), "metadata");
  check(H5Pset_coll_metadata_write(access, 1), "metadata");
  const char* path = bench->options.file;
  const hid_t file = checked(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), path);
  H5Pclose(access);
  const hid_t group =
      checked(H5Gcreate2(file, "step 0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  for (int number = 0; number < 8; ++number)
    write_dataset(group, number, count, size, bench->rank, bench->ranks);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  H5Gclose(group);
  check(H5Fclose(file), "close");
}

int main(int argc, char** argv) {
  Bench bench;
  stock_begin(&bench, argc, argv);
  bench_step_begin(&bench, "checkpoint", "file");
  write_checkpoint(&bench);
  bench_step_end(&bench);
  return stock_end(&bench, NULL);
}
