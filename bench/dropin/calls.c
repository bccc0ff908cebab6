/* What calls of HDF5 cost through the plug-in for stock HDF5, and natively, in one process.
 *
 *     calls FILE       with HDF5_PLUGIN_PATH set to the folder of the plug-in
 *
 * Makes FILE, opens it with three connectors, and prints a table: the call, microseconds natively,
 * through the library's own pass-through connector, and through the plug-in, and how the last
 * relates to the others. Each number is the least of several rounds, in which the connectors take
 * turns. README.md */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kDatasets = 1000, kElements = 1000, kRounds = 7 };
enum { kNative, kPassThrough, kPlugin, kConnectors };

static const char* const kPath = "/outer/inner/dataset 0500";

typedef struct Opened {
  hid_t access, file, root, group, dataset, texts, number, text;
  H5O_token_t token;
} Opened;

static void fail(const char* what) {
  fprintf(stderr, "calls: %s failed\n", what);
  exit(1);
}
static hid_t checked(hid_t id, const char* what) {
  if (id < 0) fail(what);
  return id;
}

/* ---- the file ---- */

static void add_attributes(hid_t object) {
  const hid_t scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 32);
  const int number = 7;
  const char label[32] = "a label";
  hid_t made = H5Acreate2(object, "number", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, H5T_NATIVE_INT, &number);
  H5Aclose(made);
  made = H5Acreate2(object, "text", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, text, label);
  H5Aclose(made);
  H5Tclose(text);
  H5Sclose(scalar);
}

static void make_file(const char* path, hid_t access) {
  static int values[kElements];
  for (int i = 0; i < kElements; ++i) values[i] = i;
  const hid_t file = checked(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
  const hid_t outer = H5Gcreate2(file, "outer", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t inner = H5Gcreate2(outer, "inner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t many = kElements, few = 4;
  const hid_t line = H5Screate_simple(1, &many, NULL), short_line = H5Screate_simple(1, &few, NULL);
  for (int i = 0; i < kDatasets; ++i) {
    char name[32];
    snprintf(name, sizeof name, "dataset %04d", i);
    const hid_t dataset = H5Dcreate2(inner, name, H5T_NATIVE_INT, i == 500 ? line : short_line,
                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    add_attributes(dataset);
    H5Dclose(dataset);
  }
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const char* texts[] = {"a", "bb", "ccc", "dddd"};
  const hid_t dataset =
      H5Dcreate2(file, "texts", text, short_line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
  H5Dclose(dataset);
  H5Tclose(text);
  H5Sclose(line);
  H5Sclose(short_line);
  H5Gclose(inner);
  H5Gclose(outer);
  H5Fclose(file);
}

static Opened open_file(const char* path, hid_t access) {
  Opened on = {.access = access, .file = checked(H5Fopen(path, H5F_ACC_RDONLY, access), "H5Fopen")};
  on.root = checked(H5Gopen2(on.file, "/", H5P_DEFAULT), "H5Gopen");
  on.group = checked(H5Gopen2(on.file, "/outer/inner", H5P_DEFAULT), "H5Gopen");
  on.dataset = checked(H5Dopen2(on.file, kPath, H5P_DEFAULT), "H5Dopen");
  on.texts = checked(H5Dopen2(on.file, "texts", H5P_DEFAULT), "H5Dopen");
  on.number = checked(H5Aopen(on.dataset, "number", H5P_DEFAULT), "H5Aopen");
  on.text = checked(H5Aopen(on.dataset, "text", H5P_DEFAULT), "H5Aopen");
  H5O_info2_t info;
  H5Oget_info3(on.dataset, &info, H5O_INFO_BASIC);
  on.token = info.token;
  return on;
}

/* ---- the calls ---- */

static const char* path;
static hid_t variable_text, fixed_text, one_element;
static int values[kElements];
static double numbers[kElements];
static char name[256];

static herr_t each_attribute(hid_t id, const char* at, const H5A_info_t* info, void* data) {
  return (void)id, (void)at, (void)info, (void)data, 0;
}
static herr_t each_link(hid_t id, const char* at, const H5L_info2_t* info, void* data) {
  return (void)id, (void)at, (void)info, (void)data, 0;
}
static herr_t each_object(hid_t id, const char* at, const H5O_info2_t* info, void* data) {
  return (void)id, (void)at, (void)info, (void)data, 0;
}
static void read_texts(const Opened* on) {
  char* texts[4];
  if (on->texts < 0) return;
  H5Dread(on->texts, variable_text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
  for (int i = 0; i < 4; ++i) H5free_memory(texts[i]);
}

/* X(name, times, statement) */
#define CALLS(X)                                                                        \
  X("H5Fopen, close", 20, H5Fclose(H5Fopen(path, H5F_ACC_RDONLY, on->access)))          \
  X("H5Gopen, close", 300, H5Gclose(H5Gopen2(on->file, "/outer/inner", H5P_DEFAULT)))   \
  X("H5Dopen, close", 300, H5Dclose(H5Dopen2(on->file, kPath, H5P_DEFAULT)))            \
  X("H5Oopen, close", 300, H5Oclose(H5Oopen(on->group, "dataset 0501", H5P_DEFAULT)))   \
  X("H5Oopen_by_token, close", 300, H5Oclose(H5Oopen_by_token(on->file, on->token)))    \
  X("H5Aopen, close", 1000, H5Aclose(H5Aopen(on->dataset, "number", H5P_DEFAULT)))      \
  X("H5Aopen_by_name, close", 300,                                                      \
    H5Aclose(H5Aopen_by_name(on->file, kPath, "text", H5P_DEFAULT, H5P_DEFAULT)))       \
  X("H5Aread, a number", 1000, H5Aread(on->number, H5T_NATIVE_INT, values))             \
  X("H5Aread, converted", 1000, H5Aread(on->number, H5T_NATIVE_DOUBLE, numbers))        \
  X("H5Aread, a text", 1000, H5Aread(on->text, fixed_text, name))                       \
  X("H5Aget_type, close", 1000, H5Tclose(H5Aget_type(on->number)))                      \
  X("H5Aget_space, close", 1000, H5Sclose(H5Aget_space(on->number)))                    \
  X("H5Aget_info", 1000, H5Aget_info(on->number, &attribute))                           \
  X("H5Aget_name", 1000, H5Aget_name(on->number, sizeof name, name))                    \
  X("H5Aexists", 1000, H5Aexists(on->dataset, "text"))                                  \
  X("H5Aiterate, 2", 300,                                                               \
    H5Aiterate2(on->dataset, H5_INDEX_NAME, H5_ITER_INC, NULL, each_attribute, NULL))   \
  X("H5Dread, 1000 numbers", 300,                                                       \
    H5Dread(on->dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values))        \
  X("H5Dread, converted", 300,                                                          \
    H5Dread(on->dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers))    \
  X("H5Dread, one of 1000", 300,                                                        \
    H5Dread(on->dataset, H5T_NATIVE_INT, H5S_BLOCK, one_element, H5P_DEFAULT, values))  \
  X("H5Dread, 4 texts", 300, read_texts(on))                                            \
  X("H5Dget_type, close", 1000, H5Tclose(H5Dget_type(on->dataset)))                     \
  X("H5Dget_space, close", 1000, H5Sclose(H5Dget_space(on->dataset)))                   \
  X("H5Dget_create_plist, close", 300, H5Pclose(H5Dget_create_plist(on->dataset)))      \
  X("H5Dget_storage_size", 1000, H5Dget_storage_size(on->dataset))                      \
  X("H5Gget_info", 1000, H5Gget_info(on->group, &group))                                \
  X("H5Lexists", 1000, H5Lexists(on->group, "dataset 0700", H5P_DEFAULT))               \
  X("H5Lget_info", 1000, H5Lget_info2(on->group, "dataset 0700", &link, H5P_DEFAULT))   \
  X("H5Lget_name_by_idx", 100,                                                          \
    H5Lget_name_by_idx(on->file, "/outer/inner", H5_INDEX_NAME, H5_ITER_INC, 300, name, \
                       sizeof name, H5P_DEFAULT))                                       \
  X("H5Literate, 1000", 5,                                                              \
    H5Literate2(on->group, H5_INDEX_NAME, H5_ITER_INC, NULL, each_link, NULL))          \
  X("H5Oget_info", 1000, H5Oget_info3(on->dataset, &object, H5O_INFO_BASIC))            \
  X("H5Oget_info, all", 1000, H5Oget_info3(on->dataset, &object, H5O_INFO_ALL))         \
  X("H5Oget_info_by_name", 300,                                                         \
    H5Oget_info_by_name3(on->file, kPath, &object, H5O_INFO_BASIC, H5P_DEFAULT))        \
  X("H5Oexists_by_name", 300, H5Oexists_by_name(on->file, kPath, H5P_DEFAULT))          \
  X("H5Ovisit, 1004", 2,                                                                \
    H5Ovisit3(on->root, H5_INDEX_NAME, H5_ITER_INC, each_object, NULL, H5O_INFO_BASIC)) \
  X("H5Iget_name", 1000, H5Iget_name(on->dataset, name, sizeof name))                   \
  X("H5Fget_name", 1000, H5Fget_name(on->dataset, name, sizeof name))

enum {
#define COUNT(name, times, statement) +1
  kCalls = 0 CALLS(COUNT)
};

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Sets the least microseconds of each call. */
static void measure(const Opened* on, double least[kCalls]) {
  H5A_info_t attribute;
  H5G_info_t group;
  H5L_info2_t link;
  H5O_info2_t object;
  int at = 0;
#define MEASURE(name, times, statement)                  \
  {                                                      \
    const double begin = now();                          \
    for (int i = 0; i < (times); ++i) (void)(statement); \
    const double each = 1e6 * (now() - begin) / (times); \
    if (each < least[at]) least[at] = each;              \
    ++at;                                                \
  }
  CALLS(MEASURE)
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: calls FILE\n");
    return 2;
  }
  path = argv[1];
  const hid_t onecast =
      checked(H5VLregister_connector_by_name("onecast", H5P_DEFAULT), "loading the plug-in");
  const hid_t native = H5VLget_connector_id_by_name("native");
  const H5VL_pass_through_info_t on_native = {.under_vol_id = native};
  hid_t access[kConnectors];
  for (int i = 0; i < kConnectors; ++i) access[i] = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_vol(access[kNative], native, NULL);
  H5Pset_vol(access[kPassThrough], checked(H5VL_PASSTHRU, "the pass-through connector"),
             &on_native);
  H5Pset_vol(access[kPlugin], onecast, NULL);
  make_file(path, access[kNative]);
  variable_text = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable_text, H5T_VARIABLE);
  fixed_text = H5Tcopy(H5T_C_S1);
  H5Tset_size(fixed_text, 32);
  const hsize_t many = kElements, start = 10, count = 1;
  one_element = H5Screate_simple(1, &many, NULL);
  H5Sselect_hyperslab(one_element, H5S_SELECT_SET, &start, NULL, &count, NULL);
  Opened opened[kConnectors];
  double least[kConnectors][kCalls];
  for (int which = 0; which < kConnectors; ++which) {
    opened[which] = open_file(path, access[which]);
    for (int i = 0; i < kCalls; ++i) least[which][i] = 1e9;
  }
  /* The library crashes when its pass-through connector reads values of variable length. */
  H5Dclose(opened[kPassThrough].texts);
  opened[kPassThrough].texts = H5I_INVALID_HID;
  for (int round = 0; round < kRounds; ++round)
    for (int which = 0; which < kConnectors; ++which) measure(&opened[which], least[which]);
  static const char* const kNames[] = {
#define NAME(name, times, statement) name,
      CALLS(NAME)};
  printf(
      "| call | native, µs | pass-through, µs | plug-in, µs | plug-in : native |"
      " plug-in : pass-through |\n|---|---|---|---|---|---|\n");
  for (int i = 0; i < kCalls; ++i) {
    const double mine = least[kPlugin][i], other = least[kPassThrough][i];
    printf("| %s | %.2f |", kNames[i], least[kNative][i]);
    if (strcmp(kNames[i], "H5Dread, 4 texts") == 0)
      printf(" | %.2f | %.2f | |\n", mine, mine / least[kNative][i]);
    else
      printf(" %.2f | %.2f | %.2f | %.2f |\n", other, mine, mine / least[kNative][i], mine / other);
  }
  return 0;
}
