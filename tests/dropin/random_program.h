/* What random_program.c draws: paths, types, dataspaces and lists; and what its ranks say. */
#ifndef ONECAST_RANDOM_PROGRAM_H
#define ONECAST_RANDOM_PROGRAM_H

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSteps = 60, kReads = 80, kMostPaths = 400, kLongest = 200, kMostElements = 4096 };

static int rank, ranks, alone;

/* ---- random numbers: the same on all ranks, or of this rank ---- */

typedef struct Random {
  uint64_t state;
} Random;
static Random shared, own;

static uint64_t next(Random* from) {
  uint64_t z = (from->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static unsigned below(Random* from, unsigned limit) { return (unsigned)(next(from) % limit); }
static int chance(unsigned percent) { return below(&shared, 100) < percent; }

/* ---- what this rank says ---- */

static char* said;
static size_t said_size, said_room;

#define SAY(...)                                                                              \
  do {                                                                                        \
    if (said_room - said_size < 4096) said = realloc(said, said_room = 2 * said_room + 8192); \
    said_size += (size_t)snprintf(said + said_size, 4096, __VA_ARGS__);                       \
  } while (0)

static void print_what_ranks_said(void) {
  for (int i = 0; i < ranks; ++i) {
    if (i == 0 && rank == 0) fwrite(said, 1, said_size, stdout);
    if (i > 0 && rank == i) {
      MPI_Send(&said_size, sizeof said_size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      MPI_Send(said, (int)said_size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    if (i > 0 && rank == 0) {
      size_t size = 0;
      MPI_Recv(&size, sizeof size, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      char* other = malloc(size + 1);
      MPI_Recv(other, (int)size, MPI_CHAR, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      fwrite(other, 1, size, stdout);
      free(other);
    }
  }
}

static uint64_t digest(const void* bytes, size_t size) {
  uint64_t value = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; ++i)
    value = (value ^ ((const unsigned char*)bytes)[i]) * 0x100000001b3u;
  return value;
}

/* Without the plug-in, HDF5 waits for ever for ranks without elements, in some collective reads. */
static int has_plugin(void) { return getenv("HDF5_VOL_CONNECTOR") != NULL; }

/* ---- paths ---- */

static char groups[kMostPaths][kLongest], datasets[kMostPaths][kLongest];
static int group_count, dataset_count;

static herr_t note_path(hid_t id, const char* path, const H5O_info2_t* info, void* data) {
  (void)id, (void)data;
  if (strlen(path) >= kLongest - 20) return 0;
  if (info->type == H5O_TYPE_GROUP && group_count < kMostPaths) strcpy(groups[group_count++], path);
  if (info->type == H5O_TYPE_DATASET && dataset_count < kMostPaths)
    strcpy(datasets[dataset_count++], path);
  return 0;
}
static void find_paths(hid_t file) {
  group_count = dataset_count = 0;
  H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, note_path, NULL, H5O_INFO_BASIC);
}
static const char* some_group(Random* from) { return groups[below(from, (unsigned)group_count)]; }
static const char* some_dataset(Random* from) {
  return dataset_count == 0 ? NULL : datasets[below(from, (unsigned)dataset_count)];
}
static const char* some_object(Random* from) {
  return below(from, 2) == 0 || dataset_count == 0 ? some_group(from) : some_dataset(from);
}
static const char* new_name(void) {
  static char name[kLongest + 40];
  snprintf(name, sizeof name, "%s/n%u", some_group(&shared), below(&shared, 30));
  return name;
}

/* ---- types and lists ---- */

typedef struct Pair {
  int32_t number;
  double real;
} Pair;

/* A type that files store. */
static hid_t some_type(void) {
  hid_t type;
  switch (below(&shared, 10)) {
    case 0:
      return H5Tcopy(H5T_STD_I8LE);
    case 1:
      return H5Tcopy(H5T_STD_U16BE);
    case 2:
      return H5Tcopy(H5T_NATIVE_INT);
    case 3:
      return H5Tcopy(H5T_STD_I64LE);
    case 4:
      return H5Tcopy(H5T_IEEE_F32BE);
    case 5:
      return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 6:
      type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 1 + below(&shared, 9));
      return type;
    case 7:
      type = H5Tcreate(H5T_COMPOUND, sizeof(Pair));
      H5Tinsert(type, "number", HOFFSET(Pair, number), H5T_STD_I32BE);
      H5Tinsert(type, "real", HOFFSET(Pair, real), H5T_NATIVE_DOUBLE);
      return type;
    case 8: {
      const hsize_t two = 2;
      return H5Tarray_create2(H5T_NATIVE_SHORT, 1, &two);
    }
    default: {
      type = H5Tenum_create(H5T_NATIVE_UCHAR);
      unsigned char value = 0;
      H5Tenum_insert(type, "none", &value);
      value = 9;
      H5Tenum_insert(type, "nine", &value);
      return type;
    }
  }
}

/* A type of memory for elements of a stored type: its own, that of this machine, or a number. */
static hid_t memory_type(Random* from, hid_t stored) {
  const H5T_class_t class = H5Tget_class(stored);
  const unsigned kind = below(from, 3);
  if (kind == 1) return H5Tget_native_type(stored, H5T_DIR_DEFAULT);
  if (kind == 2 && class == H5T_INTEGER) return H5Tcopy(H5T_NATIVE_DOUBLE);
  if (kind == 2 && class == H5T_FLOAT) return H5Tcopy(H5T_NATIVE_FLOAT);
  if (kind == 2 && class == H5T_COMPOUND) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(type, "number", 0, H5T_NATIVE_LLONG);
    return type;
  }
  return H5Tcopy(stored);
}

static hid_t some_space(void) {
  const unsigned kind = below(&shared, 12);
  if (kind == 0) return H5Screate(H5S_NULL);
  if (kind == 1) return H5Screate(H5S_SCALAR);
  const int dimensions = 1 + (int)below(&shared, 3);
  hsize_t shape[3], most[3];
  for (int i = 0; i < dimensions; ++i) {
    shape[i] = 1 + below(&shared, dimensions == 1 ? 200 : dimensions == 2 ? 30 : 9);
    most[i] = below(&shared, 3) == 0 ? H5S_UNLIMITED : 2 * shape[i];
  }
  return H5Screate_simple(dimensions, shape, kind < 6 ? most : NULL);
}

static hid_t creation_list(hid_t space) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t shape[3], most[3];
  const int dimensions = H5Sget_simple_extent_dims(space, shape, most);
  int grows = 0;
  for (int i = 0; i < dimensions; ++i) grows |= most[i] != shape[i];
  if (dimensions > 0 && (grows || chance(40))) {
    hsize_t chunk[3];
    for (int i = 0; i < dimensions; ++i) chunk[i] = 1 + below(&shared, (unsigned)shape[i]);
    H5Pset_chunk(list, dimensions, chunk);
    if (chance(30)) H5Pset_shuffle(list);
    if (chance(30) && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(list, 4);
    if (chance(20)) H5Pset_fletcher32(list);
  } else if (chance(30)) {
    H5Pset_layout(list, H5D_COMPACT);
  }
  if (chance(30)) H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(list, 0);
  return list;
}

static hid_t transfer_list(int collective) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  if (!alone) H5Pset_dxpl_mpio(list, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  return list;
}

/* The rows of a dataset that belong to this rank; none to some ranks. */
static hid_t own_rows(hid_t space) {
  hsize_t shape[3];
  const int dimensions = H5Sget_simple_extent_dims(space, shape, NULL);
  if (dimensions <= 0 || alone) {
    if (rank > 0 && !alone) H5Sselect_none(space);
    return space;
  }
  hsize_t start[3] = {0}, count[3];
  for (int i = 0; i < dimensions; ++i) count[i] = shape[i];
  start[0] = shape[0] * (hsize_t)rank / (hsize_t)ranks;
  count[0] = shape[0] * (hsize_t)(rank + 1) / (hsize_t)ranks - start[0];
  if (count[0] == 0)
    H5Sselect_none(space);
  else
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

/* Some elements: a box, a pattern, points, or all of them. */
static void select_some(Random* from, hid_t space) {
  hsize_t shape[3];
  const int dimensions = H5Sget_simple_extent_dims(space, shape, NULL);
  hsize_t start[3], stride[3], count[3];
  const unsigned kind = below(from, 5);
  if (dimensions <= 0 || kind == 0) return;
  for (int i = 0; i < dimensions; ++i) {
    if (shape[i] == 0) return;
    start[i] = below(from, (unsigned)shape[i]);
    stride[i] = kind == 1 ? 1 : 1 + below(from, 3);
    count[i] = 1 + below(from, (unsigned)((shape[i] - start[i] - 1) / stride[i] + 1));
  }
  if (kind == 2) {
    H5Sselect_elements(space, H5S_SELECT_SET, 1, start);
  } else {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
    for (int i = 0; i < dimensions; ++i) start[i] = count[i] = 1;
    if (kind == 3) H5Sselect_hyperslab(space, H5S_SELECT_NOTB, start, NULL, count, NULL);
  }
}

#endif
