/* Stock parallel HDF5 writes one compressed dataset: the other side of onecast_write.cpp. */
#include "../programs/stock_program.h"
#include "write_job.h"

static hid_t chunks_and_filters(const WriteJob* job) {
  enum { kZstd = 32015 };
  const hsize_t chunk[2] = {kChunkRows, kColumns};
  const hid_t list = checked(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
  check(H5Pset_chunk(list, 2, chunk), "H5Pset_chunk");
  if (job->is_zstd) {
    const unsigned level = 3;
    check(H5Pset_filter(list, kZstd, H5Z_FLAG_MANDATORY, 1, &level), "the zstd plugin");
  } else {
    check(H5Pset_shuffle(list), "H5Pset_shuffle");
    check(H5Pset_deflate(list, 4), "H5Pset_deflate");
  }
  return list;
}

static void write_file(const WriteJob* job) {
  const hid_t access = stock_access();
  check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "libver");
  const hid_t file = checked(H5Fcreate(job->file, H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
  const hsize_t shape[2] = {job->rows, kColumns};
  const hid_t all = checked(H5Screate_simple(2, shape, NULL), "H5Screate");
  const hid_t storage = chunks_and_filters(job);
  const hid_t dataset = checked(
      H5Dcreate2(file, "x", H5T_STD_I32LE, all, H5P_DEFAULT, storage, H5P_DEFAULT), "H5Dcreate");
  const hsize_t start[2] = {job->first, 0};
  const hsize_t count[2] = {job->mine, kColumns};
  const hid_t memory = checked(H5Screate_simple(2, count, NULL), "H5Screate");
  check(H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL), "hyperslab");
  if (job->mine == 0) {
    H5Sselect_none(all);
    H5Sselect_none(memory);
  }
  const hid_t transfer = stock_transfer(1);
  check(H5Dwrite(dataset, H5T_NATIVE_INT32, memory, all, transfer, job->values), "H5Dwrite");
  H5Pclose(transfer);
  H5Sclose(memory);
  H5Dclose(dataset);
  H5Pclose(storage);
  H5Sclose(all);
  check(H5Fclose(file), "H5Fclose");
  H5Pclose(access);
}

int main(int argc, char** argv) {
  Bench bench;
  stock_begin(&bench, argc, argv);
  const WriteJob job = write_job(&bench);
  bench_step_begin(&bench, "write", "file");
  write_file(&job);
  bench_step_end(&bench);
  free(job.values);
  return stock_end(&bench, NULL);
}
