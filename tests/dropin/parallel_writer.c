/* A program that writes with parallel HDF5, as users write it.
 * tests/dropin/test_parallel_writing.py runs it with the plug-in and without.
 *
 *     parallel_writer WHAT FILE
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 24, kColumns = 50 };

static int rank, ranks;

static hid_t access_list(void) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(list, 1);
  H5Pset_coll_metadata_write(list, 1);
  return list;
}

static hid_t transfer_list(H5FD_mpio_xfer_t mode) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(list, mode);
  return list;
}

/* Each rank says whether a call failed; rank 0 prints it. */
static void say(const char* call, int failed) {
  char all[64];
  const char mine = failed ? 'x' : '.';
  MPI_Gather(&mine, 1, MPI_CHAR, all, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s %.*s\n", call, ranks, all);
}

static void set_attribute(hid_t object, const char* name, int value) {
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute =
      H5Acreate2(object, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &value);
  H5Aclose(attribute);
  H5Sclose(scalar);
}

/* The rows of this rank; the last of several ranks has none. */
static hid_t rows(hid_t dataset, hid_t* memory) {
  const hid_t space = H5Dget_space(dataset);
  const int writers = ranks > 1 ? ranks - 1 : 1;
  const hsize_t each = (hsize_t)(kRows / writers);
  const hsize_t start[] = {each * (hsize_t)rank, 0}, count[] = {each, kColumns};
  *memory = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (rank < writers) return space;
  H5Sselect_none(space);
  H5Sselect_none(*memory);
  return space;
}

static herr_t write_rows(hid_t dataset, H5FD_mpio_xfer_t mode, int more) {
  static double numbers[kRows * kColumns];
  hid_t memory;
  const hid_t space = rows(dataset, &memory), transfer = transfer_list(mode);
  const int first = kRows / (ranks > 1 ? ranks - 1 : 1) * rank * kColumns;
  for (int i = 0; i < kRows * kColumns; ++i) numbers[i] = first + i + more;
  const herr_t status = H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, numbers);
  H5Pclose(transfer);
  H5Sclose(space);
  H5Sclose(memory);
  return status;
}

static double sum_of(hid_t dataset, H5FD_mpio_xfer_t mode) {
  static double numbers[kRows * kColumns];
  const hid_t transfer = transfer_list(mode);
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, numbers);
  H5Pclose(transfer);
  double sum = 0;
  for (int i = 0; i < kRows * kColumns; ++i) sum += numbers[i];
  return sum;
}

static hid_t dataset_of(hid_t group, const char* name, hid_t type, hid_t creation) {
  const hsize_t shape[] = {kRows, kColumns}, most[] = {H5S_UNLIMITED, kColumns};
  const int grows = H5Pget_layout(creation) == H5D_CHUNKED;
  const hid_t space = H5Screate_simple(2, shape, grows ? most : NULL);
  const hid_t made = H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sclose(space);
  return made;
}

static void write_file(const char* path) {
  const hid_t access = access_list();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  say("created", file < 0);
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE), packed = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t compact = H5Pcreate(H5P_DATASET_CREATE), plain = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {6, 20};
  H5Pset_chunk(chunked, 2, chunk);
  H5Pset_chunk(packed, 2, chunk);
  H5Pset_shuffle(packed);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(packed, 4);
  H5Pset_layout(compact, H5D_COMPACT);
  /* The bytes of the file are those of any other run then. */
  const hid_t of_groups = H5Pcreate(H5P_GROUP_CREATE);
  const hid_t lists[] = {chunked, packed, compact, plain, of_groups};
  for (int i = 0; i < 5; ++i) H5Pset_obj_track_times(lists[i], 0);
  const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, of_groups, H5P_DEFAULT);
  for (int i = 0; i < 20; ++i) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    set_attribute(group, name, i);
  }
  const hid_t number = H5Tcopy(H5T_IEEE_F32BE);
  H5Tcommit2(file, "a type", number, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t some[] = {dataset_of(group, "contiguous", H5T_NATIVE_DOUBLE, plain),
                        dataset_of(group, "chunked", H5T_NATIVE_FLOAT, chunked),
                        dataset_of(group, "packed", H5T_NATIVE_DOUBLE, packed),
                        dataset_of(group, "typed", number, chunked)};
  const hid_t alone = dataset_of(group, "alone", H5T_NATIVE_DOUBLE, plain);
  const hid_t small = dataset_of(group, "small", H5T_NATIVE_DOUBLE, compact);
  for (int i = 0; i < 4; ++i) {
    say("written", write_rows(some[i], H5FD_MPIO_COLLECTIVE, i) < 0);
    set_attribute(some[i], "number", i);
  }
  say("written alone", write_rows(alone, H5FD_MPIO_INDEPENDENT, 7) < 0);
  static double numbers[kRows * kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) numbers[i] = i;
  const hid_t together = transfer_list(H5FD_MPIO_COLLECTIVE);
  say("small", H5Dwrite(small, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, together, numbers) < 0);
  H5Pclose(together);
  for (int i = 0; i < 4; ++i)
    say("read", sum_of(some[i], H5FD_MPIO_COLLECTIVE) !=
                    (double)kRows * kColumns * (kRows * kColumns - 1) / 2 + i * kRows * kColumns);
  say("flushed", H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
  const hsize_t larger[] = {kRows + 5, kColumns};
  say("extended", H5Dset_extent(some[1], larger) < 0);
  H5Lcreate_soft("/group/packed", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(group, "chunked", file, "again", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "gone", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Ldelete(file, "gone", H5P_DEFAULT);
  H5Lmove(file, "again", group, "moved", H5P_DEFAULT, H5P_DEFAULT);
  for (int i = 0; i < 4; ++i) H5Dclose(some[i]);
  H5Dclose(alone);
  H5Dclose(small);
  H5Tclose(number);
  H5Gclose(group);
  say("closed", H5Fclose(file) < 0);

  file = H5Fopen(path, H5F_ACC_RDWR, access);
  const hid_t packed_again = H5Dopen2(file, "soft", H5P_DEFAULT);
  say("written again", write_rows(packed_again, H5FD_MPIO_COLLECTIVE, 100) < 0);
  H5Adelete_by_name(file, "group", "a3", H5P_DEFAULT);
  H5Dclose(packed_again);
  say("closed", H5Fclose(file) < 0);
  H5Pclose(chunked);
  H5Pclose(packed);
  H5Pclose(compact);
  H5Pclose(plain);
  H5Pclose(of_groups);
  H5Pclose(access);
}

/* ---- ranks that differ: natively they wait for ever, or store a damaged file ---- */

static void write_differently(const char* path, const char* what) {
  const int other = rank == ranks - 1;
  const hid_t access = access_list(), file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t plain = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t dataset = dataset_of(file, "x", H5T_NATIVE_DOUBLE, plain);
  say("flushed", H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
  if (strcmp(what, "order") == 0) {
    set_attribute(dataset, other ? "b" : "a", 1);
    set_attribute(dataset, other ? "a" : "b", 1);
  }
  if (strcmp(what, "value") == 0) set_attribute(dataset, "a", other);
  if (strcmp(what, "attribute of one") == 0 && other) set_attribute(dataset, "a", 1);
  if (strcmp(what, "memory") == 0) {
    static double numbers[kRows * kColumns];
    const hsize_t two = 2;
    const hid_t memory = other ? H5Screate_simple(1, &two, NULL) : H5Dget_space(dataset);
    const hid_t transfer = transfer_list(H5FD_MPIO_COLLECTIVE);
    say("written", H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, H5S_ALL, transfer, numbers) < 0);
    H5Sclose(memory);
    H5Pclose(transfer);
  }
  if (strcmp(what, "filter") == 0) {
    const hsize_t chunk[] = {6, 20};
    H5Pset_chunk(plain, 2, chunk);
    H5Pset_filter(plain, 400, H5Z_FLAG_OPTIONAL, 0, NULL);
    say("a filter", dataset_of(file, "y", H5T_NATIVE_DOUBLE, plain) < 0);
  }
  H5Dclose(dataset);
  say("flushed", H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
  const int is_lost = H5Fclose(file) < 0;
  say("closed", is_lost);
  if (is_lost) {
    say("closed again", H5Fclose(file) < 0);
    const hid_t again = H5Fopen(path, H5F_ACC_RDWR, access);
    say("opened again", again < 0 || H5Lexists(again, "x", H5P_DEFAULT) <= 0);
    say("closed", H5Fclose(again) < 0);
  }
  H5Pclose(plain);
  H5Pclose(access);
}

/* One rank asks much of new objects, without the others. */
static void look_alone(const char* path) {
  const hid_t access = access_list(), file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  int failed = 0;
  if (rank == ranks - 1) {
    H5O_info2_t object;
    H5L_info2_t link;
    failed = H5Oget_info_by_name3(file, "group", &object, H5O_INFO_ALL, H5P_DEFAULT) < 0 ||
             H5Lget_info2(file, "group", &link, H5P_DEFAULT) < 0;
  }
  say("looked", failed);
  say("closed", H5Fclose(file) < 0);
  H5Pclose(access);
}

static void create_differently(const char* path, const char* what) {
  const int other = rank == ranks - 1;
  const hid_t access = access_list();
  const unsigned flags = other && strcmp(what, "flags") == 0 ? H5F_ACC_EXCL : H5F_ACC_TRUNC;
  const hid_t file =
      H5Fcreate(other && strcmp(what, "name") == 0 ? "other.h5" : path, flags, H5P_DEFAULT, access);
  say("created", file < 0);
  if (file >= 0) H5Fclose(file);
  H5Pclose(access);
}

/* Leaves the file open: MPI_Finalize and the end of the program close it. */
static void leave_open(const char* path) {
  const hid_t access = access_list(), file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  set_attribute(file, "a", 5);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) return 2;
  const char *what = argv[1], *path = argv[2];
  if (strcmp(what, "write") != 0) H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(what, "write") == 0) write_file(path);
  if (strcmp(what, "look") == 0) look_alone(path);
  if (strcmp(what, "left open") == 0) leave_open(path);
  if (strncmp(what, "write ", 6) == 0) write_differently(path, what + 6);
  if (strncmp(what, "create ", 7) == 0) create_differently(path, what + 7);
  MPI_Finalize();
  return 0;
}
