/* The stock side of `onecast bench independent`: parallel HDF5 creates the same objects. This needs
 * all ranks to create all of them. */
#include "../programs/stock_program.h"

enum { kValues = 9 };

static Bench bench;
static hid_t dataset_create;
static hid_t line;
static hid_t scalar;

static void create_group(hid_t part, int rank, int number) {
  char name[32];
  snprintf(name, sizeof name, "group %d", number);
  const hid_t group =
      checked(H5Gcreate2(part, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  const hid_t attribute = checked(
      H5Acreate2(group, "number", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT), "attribute");
  check(H5Awrite(attribute, H5T_NATIVE_INT, &number), "attribute");
  check(H5Aclose(attribute), "attribute");
  double values[kValues];
  for (int i = 0; i < kValues; ++i) values[i] = rank + 0.5 * number;
  const hid_t dataset = checked(
      H5Dcreate2(group, "data", H5T_NATIVE_DOUBLE, line, H5P_DEFAULT, dataset_create, H5P_DEFAULT),
      "dataset");
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "data");
  check(H5Dclose(dataset), "dataset");
  check(H5Gclose(group), "group");
}

static void create_part(hid_t file, int rank) {
  char name[32];
  snprintf(name, sizeof name, "rank %d", rank);
  const hid_t part =
      checked(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "group");
  for (int i = 0; i < bench.options.bases; ++i) create_group(part, rank, i);
  check(H5Gclose(part), "group");
}

int main(int argc, char** argv) {
  stock_begin(&bench, argc, argv);
  const hsize_t shape[] = {kValues};
  line = checked(H5Screate_simple(1, shape, NULL), "dataspace");
  scalar = checked(H5Screate(H5S_SCALAR), "dataspace");
  dataset_create = checked(H5Pcreate(H5P_DATASET_CREATE), "property list");
  check(H5Pset_layout(dataset_create, H5D_COMPACT), "compact layout");
  const hid_t access = stock_access();
  if (strcmp(bench.options.setting, "best") == 0) {
    check(H5Pset_all_coll_metadata_ops(access, 1), "collective metadata reads");
    check(H5Pset_coll_metadata_write(access, 1), "collective metadata writes");
  }
  const hid_t file = checked(H5Fcreate(bench.options.file, H5F_ACC_TRUNC, H5P_DEFAULT, access),
                             bench.options.file);
  bench_step_begin(&bench, "create", "fill");
  for (int rank = 0; rank < bench.ranks; ++rank) create_part(file, rank);
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "flush");
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "close");
  check(H5Fclose(file), "close");
  bench_step_end(&bench);
  H5Pclose(access);
  H5Pclose(dataset_create);
  H5Sclose(scalar);
  H5Sclose(line);
  return stock_end(&bench, NULL);
}
