/* A program in plain HDF5 that does what its seed says. tests/dropin/test_random_programs.py runs
 * it with the plug-in for stock HDF5 and without, on several numbers of ranks.
 *
 *     random_program "write|read SEED [alone]" FILE
 *
 * `write` makes FILE: objects, attributes and links of many kinds, which it changes, moves, copies
 * and deletes. `read` prints all of it, and reads parts. All ranks make the same calls; they read
 * and write parts of their own. With `alone`, ranks open the file without MPI. */
#include "random_program.h"

/* ---- writing ---- */

/* Fills elements of a type that files store; numbers are small, so that all types hold them. */
static void fill(void* bytes, hid_t type, size_t count, unsigned what) {
  const size_t size = H5Tget_size(type);
  unsigned char* at = bytes;
  memset(bytes, 0, size * count);
  const H5T_class_t class = H5Tget_class(type);
  for (size_t i = 0; i < count; ++i, at += size) {
    const unsigned value = (unsigned)(i * 7 + what) % 100;
    if (class == H5T_ENUM)
      *at = value % 2 == 0 ? 0 : 9;
    else if (class == H5T_STRING)
      memset(at, 'a' + (int)(value % 26), size > 1 ? size - 1 : 1);
    else if (class == H5T_COMPOUND)
      at[3] = (unsigned char)value;
    else if (class != H5T_FLOAT)
      at[0] = (unsigned char)value;
  }
}

static void write_dataset(hid_t dataset, unsigned what) {
  static unsigned char bytes[kMostElements * 64];
  const hid_t type = H5Dget_type(dataset), space = own_rows(H5Dget_space(dataset));
  const hid_t list = transfer_list(1);
  const hssize_t count = H5Sget_select_npoints(space);
  if (count >= 0 && count <= kMostElements) {
    const hsize_t size = (hsize_t)count;
    const hid_t memory = count == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &size, NULL);
    fill(bytes, type, (size_t)count, what);
    const int is_simple = H5Sget_simple_extent_type(space) == H5S_SIMPLE;
    if (H5Dwrite(dataset, type, is_simple ? memory : H5S_ALL, is_simple ? space : H5S_ALL, list,
                 bytes) < 0)
      SAY("a write failed\n");
    H5Sclose(memory);
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

static void create_dataset(hid_t file) {
  const hid_t type = some_type(), space = some_space(), list = creation_list(space);
  const unsigned what = below(&shared, 100);
  const hid_t made = H5Dcreate2(file, new_name(), type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  if (made >= 0) {
    if (what % 4 != 0) write_dataset(made, what);
    H5Dclose(made);
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

static void create_attribute(hid_t file) {
  static unsigned char bytes[kMostElements * 64];
  char name[16];
  snprintf(name, sizeof name, "a%u", below(&shared, 12));
  const char* owner = some_object(&shared);
  const hid_t type = some_type(), space = some_space();
  const unsigned what = below(&shared, 100);
  H5Adelete_by_name(file, owner, name, H5P_DEFAULT);
  const hid_t made =
      H5Acreate_by_name(file, owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) {
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    fill(bytes, type, (size_t)count, what);
    H5Awrite(made, type, bytes);
    H5Aclose(made);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void resize(hid_t file) {
  const char* path = some_dataset(&shared);
  const unsigned seed = below(&shared, 1000);
  if (path == NULL) return;
  const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t shape[3], most[3];
  const int dimensions = H5Sget_simple_extent_dims(space, shape, most);
  for (int i = 0; i < dimensions; ++i) {
    shape[i] = (shape[i] * (50 + (seed + 31u * (unsigned)i) % 90)) / 100;
    if (most[i] != H5S_UNLIMITED && shape[i] > most[i]) shape[i] = most[i];
  }
  hsize_t elements = 1;
  for (int i = 0; i < dimensions; ++i) elements *= shape[i];
  if (dimensions > 0 && elements <= kMostElements)
    SAY("resize %d\n", H5Dset_extent(dataset, shape) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
}

static void change(hid_t file) {
  find_paths(file);
  const char* of = some_object(&shared);
  const char* to = new_name();
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  int done = 1;
  if (chance(50)) H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(list, 0);
  switch (below(&shared, 16)) {
    case 0:
    case 1:
    case 2: {
      const hid_t made = H5Gcreate2(file, to, H5P_DEFAULT, list, H5P_DEFAULT);
      if (made >= 0) H5Gclose(made);
      done = made >= 0;
      break;
    }
    case 3:
    case 4:
    case 5:
    case 6:
      create_dataset(file);
      break;
    case 7:
    case 8:
    case 9:
      create_attribute(file);
      break;
    case 10:
      done = H5Lcreate_soft(of, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    case 11: {
      const char* dataset = some_dataset(&shared);
      if (dataset != NULL)
        done = H5Lcreate_hard(file, dataset, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    }
    case 12:
      if (strcmp(of, ".") != 0) done = H5Ldelete(file, of, H5P_DEFAULT) >= 0;
      break;
    case 13:
      resize(file);
      break;
    case 14:
      if (strcmp(of, ".") != 0 && strncmp(to, of, strlen(of)) != 0)
        done = H5Lmove(file, of, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
      break;
    default:
      if (strncmp(to, of, strlen(of)) != 0 && strcmp(of, ".") != 0)
        done = H5Ocopy(file, of, file, to, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  }
  SAY("%d", done);
  H5Pclose(list);
}

/* ---- reading ---- */

static void read_attribute(hid_t attribute) {
  static unsigned char bytes[kMostElements * 64];
  const hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hid_t type = memory_type(&own, stored);
  const size_t size = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  char name[32];
  memset(bytes, 0, size);
  H5Aget_name(attribute, sizeof name, name);
  const herr_t status = H5Aread(attribute, type, bytes);
  SAY("  @%s class %d size %d read %d %016llx\n", name, (int)H5Tget_class(stored),
      (int)H5Tget_size(stored), (int)status, (unsigned long long)digest(bytes, size));
  H5Tclose(type);
  H5Sclose(space);
  H5Tclose(stored);
}

static herr_t each_attribute(hid_t owner, const char* name, const H5A_info_t* info, void* data) {
  (void)info, (void)data;
  const hid_t attribute = H5Aopen(owner, name, H5P_DEFAULT);
  read_attribute(attribute);
  return H5Aclose(attribute);
}

static void read_dataset(hid_t dataset, int collective, int whole) {
  static unsigned char bytes[kMostElements * 64];
  const hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hid_t type = memory_type(&own, stored), list = transfer_list(collective);
  hsize_t shape[3] = {0};
  const int dimensions = H5Sget_simple_extent_dims(space, shape, NULL);
  if (!whole) select_some(&own, space);
  const hsize_t count = (hsize_t)H5Sget_select_npoints(space);
  const size_t size = count * H5Tget_size(type);
  const hid_t memory = count == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &count, NULL);
  memset(bytes, 0, size);
  const int is_simple = H5Sget_simple_extent_type(space) == H5S_SIMPLE;
  const herr_t status = H5Dread(dataset, type, is_simple && !whole ? memory : H5S_ALL,
                                is_simple && !whole ? space : H5S_ALL, list, bytes);
  SAY("  shape %d %d %d %d class %d size %d read %d %d %016llx\n", dimensions, (int)shape[0],
      (int)shape[1], (int)shape[2], (int)H5Tget_class(stored), (int)H5Tget_size(stored), (int)count,
      (int)status, (unsigned long long)digest(bytes, size));
  H5Sclose(memory);
  H5Pclose(list);
  H5Tclose(type);
  H5Sclose(space);
  H5Tclose(stored);
}

static herr_t each_link(hid_t group, const char* name, const H5L_info2_t* info, void* data) {
  /* A link that was moved keeps its number in a group that tracks none. */
  const int has_order = info->corder_valid && *(const unsigned*)data != 0;
  char value[kLongest] = "";
  if (info->type == H5L_TYPE_SOFT) H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT);
  SAY("  -%s %d %d %d %s\n", name, (int)info->type, has_order, (int)(has_order ? info->corder : 0),
      value);
  return 0;
}

static herr_t each_object(hid_t file, const char* path, const H5O_info2_t* info, void* data) {
  (void)data;
  SAY("%s type %d links %u attributes %d\n", path, (int)info->type, info->rc, (int)info->num_attrs);
  const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, each_attribute, NULL);
  if (info->type == H5O_TYPE_GROUP) {
    const hid_t list = H5Gget_create_plist(object);
    unsigned order = 0;
    H5Pget_link_creation_order(list, &order);
    H5Literate2(object, H5_INDEX_NAME, H5_ITER_DEC, NULL, each_link, &order);
    H5Pclose(list);
  }
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t list = H5Dget_create_plist(object), space = H5Dget_space(object);
    /* Onecast puts datasets without elements in the object header. */
    if (H5Sget_simple_extent_type(space) != H5S_NULL)
      SAY("  layout %d filters %d\n", (int)H5Pget_layout(list), H5Pget_nfilters(list));
    H5Sclose(space);
    H5Pclose(list);
    read_dataset(object, 0, 1);
  }
  return H5Oclose(object);
}

/* HDF5 reads some of this on all ranks together. */
static void look(hid_t file) {
  char name[kLongest] = "";
  H5O_info2_t info;
  const char* path = some_object(&shared);
  switch (below(&shared, 5)) {
    case 0:
      SAY("exists %d %d\n", (int)H5Lexists(file, path, H5P_DEFAULT),
          (int)H5Lexists(file, "nothing", H5P_DEFAULT));
      break;
    case 1:
      SAY("nth %d %s\n",
          (int)H5Lget_name_by_idx(file, some_group(&shared), H5_INDEX_NAME, H5_ITER_INC,
                                  below(&shared, 4), name, sizeof name, H5P_DEFAULT),
          name);
      break;
    case 2:
      SAY("info %d", (int)H5Oget_info_by_name3(file, path, &info, H5O_INFO_BASIC, H5P_DEFAULT));
      SAY(" %d\n", (int)info.type);
      break;
    case 3: {
      const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
      H5Iget_name(object, name, sizeof name);
      SAY("name %s %d\n", name, (int)H5Oclose(object));
      break;
    }
    default:
      SAY("absent %d\n", (int)H5Dopen2(file, "no/such/dataset", H5P_DEFAULT) >= 0);
  }
}

/* ---- */

static hid_t access_list(void) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (!alone) H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (chance(50)) H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  return list;
}

int main(int argc, char** argv) {
  if (argc != 3)
    return fprintf(stderr, "usage: random_program \"write|read SEED [alone]\" FILE\n"), 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  alone = strstr(argv[1], "alone") != NULL;
  shared.state = strtoull(argv[1] + strcspn(argv[1], " "), NULL, 10);
  own.state = shared.state * 1000 + (uint64_t)rank;
  said = calloc(1, said_room = 8192);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t list = access_list();
  const int writes = argv[1][0] == 'w';
  hid_t file = writes ? H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, list)
                      : H5Fopen(argv[2], H5F_ACC_RDONLY, list);
  if (file < 0) SAY("%d: the file is not opened\n", rank);
  for (int i = 0; writes && i < kSteps && file >= 0; ++i) {
    change(file);
    if (chance(5)) H5Fflush(file, H5F_SCOPE_LOCAL);
    if (!chance(5)) continue;
    H5Fclose(file);
    file = H5Fopen(argv[2], H5F_ACC_RDWR, list);
  }
  if (!writes && file >= 0) {
    SAY("rank %d\n", rank);
    H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_INC, each_object, NULL, H5O_INFO_ALL & ~H5O_INFO_TIME);
    find_paths(file);
    for (int i = 0; i < kReads; ++i) {
      const char* path = some_dataset(&shared);
      const int collective = chance(50) && has_plugin();
      look(file);
      if (path == NULL) continue;
      const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
      read_dataset(dataset, collective, 0);
      H5Dclose(dataset);
    }
  }
  H5Fclose(file);
  H5Pclose(list);
  print_what_ranks_said();
  MPI_Finalize();
  return 0;
}
