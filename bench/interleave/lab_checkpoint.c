/* A checkpoint by stock parallel HDF5: 8 datasets, each written by all ranks together, rank r of n
 * each n-th piece; flush, close.
 *
 *   lab_checkpoint FILE MIB_OF_EACH PIECE_BYTES */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hid_t checked(hid_t id, const char* what) {
  if (id < 0) {
    fprintf(stderr, "HDF5 failed: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return id;
}

/* Fixed length: the library writes no variable one in parallel. */
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
  const hid_t transfer = checked(H5Pcreate(H5P_DATASET_XFER), "property list");
  checked(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "transfer");
  unsigned char* data = malloc(mine * size);
  if (data == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(data, rank + number, mine * size);
  checked(H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, space, transfer, data), "write");
  free(data);
  H5Pclose(transfer);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 1);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hsize_t size = strtoull(argv[3], NULL, 10);
  const hsize_t count = (strtoull(argv[2], NULL, 10) << 20) / size;

  /* As careful users have it: data on stripes, metadata together and collective. */
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "property list");
  checked(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "MPI-IO");
  checked(H5Pset_alignment(access, 1 << 16, 1 << 20), "alignment");
  checked(H5Pset_all_coll_metadata_ops(access, 1), "metadata");
  checked(H5Pset_coll_metadata_write(access, 1), "metadata");
  const hid_t file = checked(H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access), argv[1]);
  H5Pclose(access);
  const hid_t group =
      checked(H5Gcreate2(file, "step 0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  for (int number = 0; number < 8; ++number) write_dataset(group, number, count, size, rank, ranks);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  H5Gclose(group);
  checked(H5Fclose(file), "close");
  MPI_Finalize();
  return 0;
}
