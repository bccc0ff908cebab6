/* The stock side of `onecast bench metadata`: parallel HDF5 does the workload of README.md.
 * Settings differ only in the property lists; the table `settings` lists them. */
#include "stock_walk.h"
#include "workload.h"

static Bench bench;

/* ---- settings ---- */

typedef struct Setting {
  const char* name;
  int collective_reads;  /* of metadata */
  int collective_writes; /* of metadata */
  int collective_data;
  int one_writer; /* rank 0 alone writes the values, which are equal on all ranks */
  int compact;    /* small datasets inside their object headers */
  int latest;     /* newest file format */
} Setting;

/* "best" needs the fewest file operations, "independent" the fewest seconds where reads come from
 * a local cache. */
static const Setting settings[] = {
    /* name, reads, writes, data, one writer, compact, latest */
    {"default", 0, 0, 0, 0, 0, 0},     {"best", 1, 1, 1, 1, 1, 0},
    {"independent", 0, 1, 0, 1, 1, 0}, {"contiguous", 1, 1, 1, 1, 0, 0},
    {"latest", 1, 1, 1, 1, 1, 1},
};

static const Setting* setting;

/* Property lists of the writing calls. `lists` holds those of the reading calls. */
static hid_t file_access, group_create, dataset_create, group_access, dataset_access;
static WalkLists lists;

static hid_t access_list(hid_t property_class) {
  const hid_t list = checked(H5Pcreate(property_class), "property list");
  if (setting->collective_reads) {
    check(H5Pset_all_coll_metadata_ops(list, 1), "collective metadata reads");
  }
  return list;
}

static void make_property_lists(void) {
  file_access = access_list(H5P_FILE_ACCESS);
  check(H5Pset_fapl_mpio(file_access, MPI_COMM_WORLD, MPI_INFO_NULL), "MPI-IO");
  if (setting->collective_writes) {
    check(H5Pset_coll_metadata_write(file_access, 1), "collective metadata writes");
  }
  if (setting->latest) {
    check(H5Pset_libver_bounds(file_access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), "format");
  }
  lists.link_access = access_list(H5P_LINK_ACCESS);
  group_access = access_list(H5P_GROUP_ACCESS);
  dataset_access = access_list(H5P_DATASET_ACCESS);
  lists.attribute_access = access_list(H5P_ATTRIBUTE_ACCESS);
  group_create = checked(H5Pcreate(H5P_GROUP_CREATE), "property list");
  check(H5Pset_link_creation_order(group_create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "creation order");
  dataset_create = checked(H5Pcreate(H5P_DATASET_CREATE), "property list");
  if (setting->compact)
    check(H5Pset_layout(dataset_create, H5D_COMPACT), "compact layout");
  else
    check(H5Pset_fill_time(dataset_create, H5D_FILL_TIME_NEVER), "fill time");
  lists.transfer = checked(H5Pcreate(H5P_DATASET_XFER), "property list");
  if (setting->collective_data) {
    check(H5Pset_dxpl_mpio(lists.transfer, H5FD_MPIO_COLLECTIVE), "collective lists.transfer");
  }
}

static void close_property_lists(void) {
  const hid_t all[] = {file_access,    group_create,      dataset_create,         group_access,
                       dataset_access, lists.link_access, lists.attribute_access, lists.transfer};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) H5Pclose(all[i]);
}

/* ---- create ---- */

static hid_t string_types[2]; /* kNameSize and kTypeSize bytes long */
static hid_t scalar;

static void write_attribute(hid_t group, const char* name, hid_t type, const char* value) {
  const hid_t attribute =
      checked(H5Acreate2(group, name, type, scalar, H5P_DEFAULT, lists.attribute_access), name);
  check(H5Awrite(attribute, type, value), name);
  check(H5Aclose(attribute), name);
}

static hid_t create_node(hid_t parent, NodeAttributes attributes) {
  const hid_t group = checked(
      H5Gcreate2(parent, attributes.name, H5P_DEFAULT, group_create, group_access), "group");
  write_attribute(group, "name", string_types[0], attributes.name);
  write_attribute(group, "label", string_types[0], attributes.label);
  write_attribute(group, "type", string_types[1], attributes.type);
  return group;
}

static void create_data(hid_t group, hid_t type, int rank, const hsize_t* shape,
                        const void* values) {
  const hid_t space = checked(H5Screate_simple(rank, shape, NULL), "dataspace");
  const hid_t dataset = checked(H5Dcreate2(group, WORKLOAD_DATA_NAME, type, space, H5P_DEFAULT,
                                           dataset_create, dataset_access),
                                "dataset");
  /* A compact dataset is metadata, which all ranks must change alike. */
  if (setting->compact) {
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write");
  } else if (!setting->one_writer) {
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, lists.transfer, values), "write");
  } else if (bench.rank == 0) {
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write");
  }
  check(H5Dclose(dataset), "dataset");
  check(H5Sclose(space), "dataspace");
}

static void create_zone(hid_t base_group, int base, int zone) {
  const hsize_t square[] = {kZoneSide, kZoneSide};
  const hsize_t line[] = {kZoneTypeValues};
  int64_t values[kZoneValues];
  workload_zone_values(base, zone, bench.options.zones, values);
  const hid_t group = create_node(base_group, workload_zone(zone));
  create_data(group, H5T_STD_I64LE, 2, square, values);
  const hid_t type_group = create_node(group, workload_zone_type());
  create_data(type_group, H5T_STD_I8LE, 1, line, WORKLOAD_ZONE_TYPE_VALUE);
  check(H5Gclose(type_group), "group");
  check(H5Gclose(group), "group");
}

static hid_t fill(void) {
  const hid_t file_create = checked(H5Pcreate(H5P_FILE_CREATE), "property list");
  check(H5Pset_link_creation_order(file_create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "creation order");
  const hid_t file = checked(H5Fcreate(bench.options.file, H5F_ACC_TRUNC, file_create, file_access),
                             bench.options.file);
  H5Pclose(file_create);
  const hsize_t line[] = {kBaseValues};
  int32_t values[kBaseValues];
  workload_base_values(values);
  for (int base = 0; base < bench.options.bases; ++base) {
    const hid_t group = create_node(file, workload_base(base));
    create_data(group, H5T_STD_I32LE, 1, line, values);
    for (int zone = 0; zone < bench.options.zones; ++zone) create_zone(group, base, zone);
    check(H5Gclose(group), "group");
  }
  return file;
}

static hid_t string_type(size_t size) {
  const hid_t type = checked(H5Tcopy(H5T_C_S1), "string type");
  check(H5Tset_size(type, size), "string type");
  return type;
}

static void run_create(void) {
  string_types[0] = string_type(kNameSize);
  string_types[1] = string_type(kTypeSize);
  scalar = checked(H5Screate(H5S_SCALAR), "dataspace");
  bench_step_begin(&bench, "create", "fill");
  const hid_t file = fill();
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "flush");
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  bench_step_end(&bench);
  bench_step_begin(&bench, "create", "close");
  check(H5Fclose(file), "close");
  bench_step_end(&bench);
  H5Sclose(scalar);
  H5Tclose(string_types[0]);
  H5Tclose(string_types[1]);
}

/* ---- open_read ---- */

static void run_open_read(Contents* contents) {
  bench_step_begin(&bench, "open_read", "open");
  const hid_t file =
      checked(H5Fopen(bench.options.file, H5F_ACC_RDONLY, file_access), bench.options.file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "open_read", "read");
  digest_enabled = 0;
  walk_file(file, &lists, contents);
  bench_step_end(&bench);
  bench_step_begin(&bench, "verify", "read");
  digest_enabled = 1;
  memset(contents, 0, sizeof *contents);
  walk_file(file, &lists, contents);
  bench_step_end(&bench);
  bench_step_begin(&bench, "open_read", "close");
  check(H5Fclose(file), "close");
  bench_step_end(&bench);
}

static void run_close_unmodified(void) {
  bench_step_begin(&bench, "close_unmodified", "open");
  const hid_t file =
      checked(H5Fopen(bench.options.file, H5F_ACC_RDWR, file_access), bench.options.file);
  bench_step_end(&bench);
  bench_step_begin(&bench, "close_unmodified", "close");
  check(H5Fclose(file), "close");
  bench_step_end(&bench);
}

int main(int argc, char** argv) {
  stock_begin(&bench, argc, argv);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
    if (strcmp(settings[i].name, bench.options.setting) == 0) setting = &settings[i];
  }
  if (setting == NULL) bench_fail("--setting", "is none of this program's");
  make_property_lists();
  Contents contents;
  memset(&contents, 0, sizeof contents);
  const int reads = bench_has_phase(&bench, "open_read");
  if (bench_has_phase(&bench, "create")) run_create();
  if (reads) run_open_read(&contents);
  if (bench_has_phase(&bench, "close_unmodified")) run_close_unmodified();
  close_property_lists();
  return stock_end(&bench, reads ? &contents : NULL);
}
