/* A program on parallel HDF5, as users write it. tests/dropin/test_parallel.py runs it with the
 * plug-in and without.
 *
 *     parallel_program WHAT FILE
 *
 * Each rank prints what its calls return, in the order of the ranks. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 120, kColumns = 100, kTexts = 5 };

static int rank, ranks;
static char said[1 << 16];

#define SAY(...) snprintf(said + strlen(said), sizeof said - strlen(said), __VA_ARGS__)

static void print_what_ranks_said(void) {
  for (int i = 0; i < ranks; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (i == 0 && rank == 0) printf("%s", said);
    if (i > 0 && rank == i) MPI_Send(said, sizeof said, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (i > 0 && rank == 0) {
      MPI_Recv(said, sizeof said, MPI_CHAR, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%s", said);
    }
  }
}

/* Without the plug-in, HDF5 waits for ever for ranks without elements, in some collective calls. */
static int has_plugin(void) { return getenv("HDF5_VOL_CONNECTOR") != NULL; }

static hid_t access_list(void) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "2");
  MPI_Info_set(info, "no_such_hint", "1");
  H5Pset_fapl_mpio(list, MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  if (has_plugin()) H5Pset_all_coll_metadata_ops(list, 1);
  H5Pset_coll_metadata_write(list, 1);
  return list;
}

static hid_t transfer_list(H5FD_mpio_xfer_t mode) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(list, has_plugin() ? mode : H5FD_MPIO_INDEPENDENT);
  return list;
}

/* ---- create: on one rank, by itself ---- */

static void write_all(hid_t file, const char* name, hid_t type, hid_t space, hid_t creation,
                      const void* values) {
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute =
      H5Acreate2(dataset, "size", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const int size = (int)H5Tget_size(type);
  H5Awrite(attribute, H5T_NATIVE_INT, &size);
  H5Aclose(attribute);
  H5Sclose(scalar);
  H5Dclose(dataset);
}

static void create(const char* path) {
  static double numbers[kRows][kColumns];
  static struct {
    int n;
    const char* text;
  } pairs[kTexts];
  const char* texts[kTexts] = {"a", "bb", "", "dddd", "e"};
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) numbers[i][j] = i * 1000 + j;
  const hsize_t shape[] = {kRows, kColumns}, chunk[] = {50, 30}, few[] = {kTexts};
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t plane = H5Screate_simple(2, shape, NULL), line = H5Screate_simple(1, few, NULL);
  const hid_t text = H5Tcopy(H5T_C_S1), pair = H5Tcreate(H5T_COMPOUND, sizeof *pairs);
  H5Tset_size(text, H5T_VARIABLE);
  H5Tinsert(pair, "n", 0, H5T_NATIVE_INT);
  H5Tinsert(pair, "text", (const char*)&pairs->text - (const char*)pairs, text);
  for (int i = 0; i < kTexts; ++i) pairs[i].n = i, pairs[i].text = texts[i];
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE), compact = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 2, chunk);
  H5Pset_shuffle(chunked);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(chunked, 4);
  H5Pset_layout(compact, H5D_COMPACT);
  write_all(file, "contiguous", H5T_NATIVE_DOUBLE, plane, H5P_DEFAULT, numbers);
  write_all(file, "chunked", H5T_NATIVE_DOUBLE, plane, chunked, numbers);
  write_all(file, "compact", H5T_NATIVE_DOUBLE, line, compact, numbers);
  write_all(file, "texts", text, line, H5P_DEFAULT, texts);
  write_all(file, "pairs", pair, line, H5P_DEFAULT, pairs);
  H5Lcreate_external("other.h5", "/contiguous", file, "outside", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  (void)pair;
}

/* ---- read ---- */

/* The rows of this rank: the last rank has none, and rank 1 has every second one of all. */
static hid_t rows(hid_t dataset, hid_t* memory) {
  const hid_t space = H5Dget_space(dataset);
  const hsize_t each = kRows / (hsize_t)ranks;
  hsize_t start[] = {each * (hsize_t)rank, 0}, stride[] = {1, 1}, count[] = {each, kColumns};
  if (rank == 1) start[0] = 1, stride[0] = 2, count[0] = kRows / 2;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  const hsize_t room[] = {kRows, kColumns}, origin[] = {0, 0};
  *memory = H5Screate_simple(2, room, NULL);
  H5Sselect_hyperslab(*memory, H5S_SELECT_SET, origin, NULL, count, NULL);
  if (rank == ranks - 1 && ranks > 1) {
    H5Sselect_none(space);
    H5Sselect_none(*memory);
  }
  return space;
}

static void read_plane(hid_t file, const char* name, hid_t type, H5FD_mpio_xfer_t mode) {
  static double numbers[kRows * kColumns];
  memset(numbers, 0, sizeof numbers);
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), transfer = transfer_list(mode);
  hid_t memory;
  const hid_t space = rows(dataset, &memory);
  const herr_t status = H5Dread(dataset, type, memory, space, transfer, numbers);
  double sum = 0;
  const int is_float = H5Tequal(type, H5T_NATIVE_FLOAT) > 0;
  for (int i = 0; i < kRows * kColumns; ++i)
    sum += (i + 1) * (is_float ? (double)((float*)numbers)[i] : numbers[i]);
  int size = -1;
  const hid_t attribute = H5Aopen(dataset, "size", H5P_DEFAULT);
  H5Aread(attribute, H5T_NATIVE_INT, &size);
  H5Aclose(attribute);
  SAY("%d: %s %d %g %d\n", rank, name, status, sum, size);
  H5Pclose(transfer);
  H5Sclose(space);
  H5Sclose(memory);
  H5Dclose(dataset);
}

static void read_texts(hid_t file, H5FD_mpio_xfer_t mode) {
  char* texts[kTexts] = {0};
  const hid_t dataset = H5Dopen2(file, "texts", H5P_DEFAULT), type = H5Dget_type(dataset);
  const hid_t transfer = transfer_list(mode), space = H5Dget_space(dataset);
  if (rank == 2) H5Sselect_none(space);
  const herr_t status = H5Dread(dataset, type, space, space, transfer, texts);
  SAY("%d: texts %d", rank, status);
  for (int i = 0; i < kTexts; ++i) SAY(" %s", texts[i] ? texts[i] : "-");
  SAY("\n");
  H5Treclaim(type, space, H5P_DEFAULT, texts);
  H5Sclose(space);
  H5Tclose(type);
  H5Pclose(transfer);
  H5Dclose(dataset);
}

/* A read that only the HDF5 library can do: the elements get 1 more. */
static void read_transformed(hid_t file, H5FD_mpio_xfer_t mode) {
  double numbers[kTexts] = {0};
  const hid_t dataset = H5Dopen2(file, "compact", H5P_DEFAULT), transfer = transfer_list(mode);
  if (rank == 0) H5Pset_data_transform(transfer, "x + 1");
  const herr_t status = H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, numbers);
  SAY("%d: transformed %d %g\n", rank, status, numbers[2]);
  H5Pclose(transfer);
  H5Dclose(dataset);
}

static void read_file(const char* path) {
  const hid_t access = access_list(), file = H5Fopen(path, H5F_ACC_RDONLY, access);
  hbool_t atomic = 1;
  H5Fget_mpi_atomicity(file, &atomic);
  SAY("%d: opened %d, atomic %d\n", rank, file >= 0, (int)atomic);
  const H5FD_mpio_xfer_t modes[] = {H5FD_MPIO_COLLECTIVE, H5FD_MPIO_INDEPENDENT};
  for (int i = 0; i < 2; ++i) {
    read_plane(file, "contiguous", H5T_NATIVE_DOUBLE, modes[i]);
    read_plane(file, "chunked", H5T_NATIVE_FLOAT, modes[i]);
    read_plane(file, "outside", H5T_NATIVE_DOUBLE, modes[i]);
    read_texts(file, modes[i]);
  }
  H5G_info_t info;
  H5Gget_info(file, &info);
  SAY("%d: %d links\n", rank, (int)info.nlinks);
  const hid_t list = H5Fget_access_plist(file);
  SAY("%d: MPI %d\n", rank, H5Pget_driver(list) == H5FD_MPIO);
  H5Pclose(list);
  SAY("%d: closed %d\n", rank, H5Fclose(file));
  H5Pclose(access);
}

/* Reads for which one rank needs the HDF5 library. */
static void read_by_the_library(const char* path) {
  const hid_t access = access_list(), file = H5Fopen(path, H5F_ACC_RDONLY, access);
  read_transformed(file, H5FD_MPIO_INDEPENDENT);
  read_transformed(file, H5FD_MPIO_COLLECTIVE);
  H5Fclose(file);
  H5Pclose(access);
}

/* ---- ranks that differ: natively they would wait for ever ---- */

static void read_differently(const char* path, const char* what) {
  static double numbers[kRows * kColumns];
  const hid_t access = access_list(), file = H5Fopen(path, H5F_ACC_RDONLY, access);
  const int other = rank == ranks - 1;
  const hid_t dataset =
      H5Dopen2(file, other && strcmp(what, "dataset") == 0 ? "chunked" : "contiguous", H5P_DEFAULT);
  const hid_t transfer = transfer_list(H5FD_MPIO_COLLECTIVE);
  const hsize_t two = 2;
  const hid_t memory = other && strcmp(what, "memory") == 0 ? H5Screate_simple(1, &two, NULL)
                                                            : H5Dget_space(dataset);
  const hid_t type = other && strcmp(what, "type") == 0 ? H5T_C_S1 : H5T_NATIVE_DOUBLE;
  const herr_t status = H5Dread(dataset, type, memory, H5S_ALL, transfer, numbers);
  SAY("%d: read %s\n", rank, status < 0 ? "failed" : "succeeded");
  /* The file can still be used. */
  const hid_t again = H5Dopen2(file, "contiguous", H5P_DEFAULT);
  const herr_t then = H5Dread(again, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  SAY("%d: then %s %g\n", rank, then < 0 ? "failed" : "succeeded", numbers[kColumns + 1]);
  H5Sclose(memory);
  H5Pclose(transfer);
  H5Dclose(again);
  H5Dclose(dataset);
  H5Fclose(file);
  H5Pclose(access);
}

static void open_differently(const char* path, const char* what) {
  const hid_t access = access_list();
  const int other = rank == ranks - 1;
  const unsigned flags = other && strcmp(what, "flags") == 0 ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
  const hid_t file = H5Fopen(other && strcmp(what, "name") == 0 ? "other.h5" : path, flags, access);
  SAY("%d: open %s\n", rank, file < 0 ? "failed" : "succeeded");
  H5Pclose(access);
}

/* Leaves the file open: MPI_Finalize and the end of the program close it. */
static void leave_open(const char* path) {
  const hid_t access = access_list(), file = H5Fopen(path, H5F_ACC_RDONLY, access);
  read_plane(file, "contiguous", H5T_NATIVE_DOUBLE, H5FD_MPIO_COLLECTIVE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) return 2;
  const char *what = argv[1], *path = argv[2];
  if (strncmp(what, "read ", 5) == 0 || strncmp(what, "open ", 5) == 0)
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(what, "create") == 0) create(path);
  if (strcmp(what, "read") == 0) read_file(path);
  if (strcmp(what, "library") == 0) read_by_the_library(path);
  if (strcmp(what, "left open") == 0) leave_open(path);
  if (strncmp(what, "read ", 5) == 0) read_differently(path, what + 5);
  if (strncmp(what, "open ", 5) == 0) open_differently(path, what + 5);
  print_what_ranks_said();
  MPI_Finalize();
  return 0;
}
