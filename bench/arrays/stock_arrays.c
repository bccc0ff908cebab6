/* Stock parallel HDF5 writes and reads arrays of which each rank has a part: independently,
 * collectively, by rank 0 alone ("one"), or all arrays by one collective call ("multi").
 * "collective_compact" stores small arrays that all ranks have as compact datasets, which are part
 * of the metadata and written collectively. */
#include "../programs/stock_program.h"
#include "arrays.h"

static Bench bench;
static hid_t file, transfer;
static hid_t datasets[BENCH_MOST_ARRAYS];

static hid_t type_of(const BenchArray* array) {
  if (array->element == 1) return H5T_NATIVE_UCHAR;
  if (array->element == 4) return H5T_NATIVE_INT32;
  return array->type[0] == 'i' ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}

static int is_compact(const ArrayJob* job, const BenchArray* array) {
  const uint64_t most = 1 << 15;
  return arrays_setting_is(job, "collective_compact") && array->parts[0] * array->parts[1] == 1 &&
         array->shape[0] * array->shape[1] * array->element < most;
}

static void create(const ArrayJob* job) {
  file = stock_create_aligned(job->bench, arrays_setting_is(job, "collective_compact"));
  const hid_t compact = checked(H5Pcreate(H5P_DATASET_CREATE), "property list");
  check(H5Pset_layout(compact, H5D_COMPACT), "layout");
  for (int a = 0; a < job->count; ++a) {
    const BenchArray* array = &job->arrays[a];
    const hsize_t shape[] = {array->shape[0], array->shape[1]};
    const hid_t space = checked(H5Screate_simple(2, shape, NULL), "dataspace");
    datasets[a] = checked(H5Dcreate2(file, array->name, type_of(array), space, H5P_DEFAULT,
                                     is_compact(job, array) ? compact : H5P_DEFAULT, H5P_DEFAULT),
                          "dataset");
    check(H5Sclose(space), "dataspace");
  }
  H5Pclose(compact);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
}

static void open_file(const ArrayJob* job, int writable) {
  const hid_t access = stock_access();
  check(H5Pset_all_coll_metadata_ops(access, 1), "collective metadata reads");
  file =
      checked(H5Fopen(job->bench->options.file, writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access),
              job->bench->options.file);
  for (int a = 0; a < job->count; ++a)
    datasets[a] = checked(H5Dopen2(file, job->arrays[a].name, H5P_DEFAULT), "dataset");
  H5Pclose(access);
}

typedef struct Spaces {
  hid_t memory;
  hid_t file;
} Spaces;

static Spaces spaces_of(int a, const ArrayPart* part) {
  const hsize_t start[] = {part->start[0], part->start[1]};
  const hsize_t count[] = {part->count[0], part->count[1]};
  Spaces spaces;
  spaces.memory = checked(H5Screate_simple(2, count, NULL), "dataspace");
  spaces.file = checked(H5Dget_space(datasets[a]), "dataspace");
  if (arrays_elements(part) > 0) {
    check(H5Sselect_hyperslab(spaces.file, H5S_SELECT_SET, start, NULL, count, NULL), "part");
  } else {
    check(H5Sselect_none(spaces.file), "part");
    check(H5Sselect_none(spaces.memory), "part");
  }
  return spaces;
}

static void close_spaces(Spaces spaces) {
  H5Sclose(spaces.memory);
  H5Sclose(spaces.file);
}

/* Available since HDF5 1.14. */
static void transfer_at_once(const ArrayJob* job, int writes) {
#if H5_VERSION_GE(1, 14, 0)
  const size_t count = (size_t)job->count;
  static hid_t types[BENCH_MOST_ARRAYS], memories[BENCH_MOST_ARRAYS], files[BENCH_MOST_ARRAYS];
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = writes ? arrays_own_part(job, a) : arrays_read_part(job, a);
    const Spaces spaces = spaces_of(a, &part);
    types[a] = type_of(&job->arrays[a]);
    memories[a] = spaces.memory;
    files[a] = spaces.file;
  }
  if (writes) {
    check(
        H5Dwrite_multi(count, datasets, types, memories, files, transfer, (const void**)job->data),
        "write");
  } else {
    check(H5Dread_multi(count, datasets, types, memories, files, transfer, (void**)job->read),
          "read");
  }
  for (int a = 0; a < job->count; ++a) close_spaces((Spaces){memories[a], files[a]});
#else
  (void)job;
  (void)writes;
  bench_fail("--setting multi", "needs HDF5 1.14");
#endif
}

static void write_arrays(const ArrayJob* job) {
  if (arrays_setting_is(job, "multi")) {
    transfer_at_once(job, 1);
    return;
  }
  if (arrays_setting_is(job, "one") && job->bench->rank != 0) return;
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_own_part(job, a);
    const Spaces spaces = spaces_of(a, &part);
    check(H5Dwrite(datasets[a], type_of(&job->arrays[a]), spaces.memory, spaces.file, transfer,
                   job->data[a]),
          "write");
    close_spaces(spaces);
  }
}

static void read_arrays(const ArrayJob* job) {
  if (arrays_setting_is(job, "multi")) {
    transfer_at_once(job, 0);
    return;
  }
  for (int a = 0; a < job->count; ++a) {
    const ArrayPart part = arrays_read_part(job, a);
    const Spaces spaces = spaces_of(a, &part);
    check(H5Dread(datasets[a], type_of(&job->arrays[a]), spaces.memory, spaces.file, transfer,
                  job->read[a]),
          "read");
    close_spaces(spaces);
  }
}

static void flush(const ArrayJob* job) {
  (void)job;
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
}

static void close_file(const ArrayJob* job) {
  for (int a = 0; a < job->count; ++a) check(H5Dclose(datasets[a]), "dataset");
  check(H5Fclose(file), "close");
}

/* Creates a dataset that nobody writes, so that the file is shorter than its end of address. */
static void create_reserved(void) {
  const hsize_t shape[] = {BENCH_RESERVED};
  const hid_t space = checked(H5Screate_simple(1, shape, NULL), "dataspace");
  const hid_t create = checked(H5Pcreate(H5P_DATASET_CREATE), "property list");
  check(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER), "fill time");
  check(H5Dclose(checked(H5Dcreate2(file, "reserved", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create,
                                    H5P_DEFAULT),
                         "dataset")),
        "dataset");
  H5Pclose(create);
  H5Sclose(space);
}

static void modify(const ArrayJob* job) {
  (void)job;
  const int one = 1;
  create_reserved();
  const hid_t space = checked(H5Screate(H5S_SCALAR), "dataspace");
  const hid_t attribute = checked(
      H5Acreate2(file, "changed", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(attribute, H5T_NATIVE_INT, &one), "attribute");
  H5Aclose(attribute);
  H5Sclose(space);
}

int main(int argc, char** argv) {
  stock_begin(&bench, argc, argv);
  const char* setting = bench.options.setting;
  transfer = stock_transfer(strncmp(setting, "collective", strlen("collective")) == 0 ||
                            strcmp(setting, "multi") == 0);
  const ArrayCalls calls = {create,    write_arrays, flush, close_file,
                            open_file, read_arrays,  modify};
  arrays_run(&bench, &calls, NULL);
  H5Pclose(transfer);
  return stock_end(&bench, NULL);
}
