// Shows the contents of a file and their storage, in C: every object below the root, the filters
// and the size of datasets, the target of a link. Renames an attribute and gives an object a
// comment.

#include <onecast/onecast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s: %s\n", onecast_status_name(status), onecast_last_error());
  exit(1);
}

static void write(const char* path) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* wave = NULL;
  check(onecast_file_create(path, NULL, &file));
  check(onecast_file_root(file, &root));

  // Complex numbers, which every version of HDF5 can read.
  double numbers[200] = {0};
  for (int i = 0; i < 200; ++i) numbers[i] = 0.5 * (i / 20);
  const double fill_value[2] = {0, -1};
  const uint64_t shape = 100;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  const onecast_filter filters[] = {onecast_filter_shuffle(), onecast_filter_deflate(6)};
  onecast_dataset_options options;
  check(onecast_dataset_options_init(&options, sizeof options));
  options.chunk = &shape;
  options.filters = filters;
  options.filter_count = 2;
  options.fill_value = fill_value;
  options.fill_value_size = sizeof fill_value;
  check(onecast_dataset_create(root, "waves/first", ONECAST_COMPLEX128, &space, &options, &wave));
  check(onecast_dataset_write(wave, NULL, ONECAST_COMPLEX128, numbers, sizeof numbers));
  check(onecast_group_create_soft_link(root, "latest", "/waves/first"));

  check(onecast_attribute_set_text(wave, "units", "m"));
  check(onecast_attribute_rename(wave, "units", "unit"));
  check(onecast_object_set_comment(wave, "made by an example"));

  // An attribute with lists of any length.
  const int32_t peaks[] = {3, 17, 40};
  const onecast_sequence lists[2] = {{3, peaks}, {0, NULL}};
  onecast_type* list_type = NULL;
  check(onecast_type_sequence(ONECAST_INT32, &list_type));
  check(onecast_attribute_set_sequences(wave, "peaks", list_type, NULL, 2, lists));
  onecast_type_free(&list_type);

  onecast_object_close(&wave);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
}

static void print_storage(const onecast_object* dataset) {
  uint64_t size = 0;
  check(onecast_dataset_get_storage_size(dataset, &size));
  size_t count = 0;
  onecast_dataset_filter* filters = NULL;
  check(onecast_dataset_list_filters(dataset, &count, &filters));
  printf(", %llu bytes", (unsigned long long)size);
  for (size_t i = 0; i < count; ++i) printf(", %s", filters[i].name);
  onecast_free(filters);
}

// Called for each object; a result other than 0 would end the visit.
static int print_object(void* user, const char* path, const onecast_object* object) {
  int* datasets = user;
  onecast_object_kind kind = ONECAST_NO_OBJECT;
  check(onecast_object_get_kind(object, &kind));
  printf("%s", path);
  if (kind == ONECAST_DATASET) {
    ++*datasets;
    print_storage(object);
  }
  printf("\n");
  return 0;
}

static int read(const char* path) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* wave = NULL;
  check(onecast_file_open(path, ONECAST_READ_ONLY, NULL, &file));
  check(onecast_file_root(file, &root));
  int datasets = 0;
  check(onecast_group_visit(root, ONECAST_ORDER_NAME, print_object, &datasets, NULL));

  onecast_link* link = NULL;
  check(onecast_group_get_link(root, "latest", &link));
  check(onecast_dataset_open(root, link->target, &wave));
  onecast_free(link);

  onecast_fill_value kind = ONECAST_FILL_VALUE_UNDEFINED;
  double fill_value[2] = {0, 0};
  check(onecast_dataset_get_fill(wave, &kind, NULL));
  check(onecast_dataset_get_fill_value(wave, ONECAST_COMPLEX128, fill_value, sizeof fill_value));

  char* comment = NULL;
  check(onecast_object_get_comment(wave, &comment));
  const int is_commented = comment != NULL && strcmp(comment, "made by an example") == 0;
  onecast_free(comment);

  size_t count = 0;
  onecast_sequence* lists = NULL;
  check(onecast_attribute_read_sequences(wave, "peaks", &count, &lists));
  const int has_peaks = count == 2 && lists[0].count == 3 && lists[1].count == 0;
  onecast_free(lists);

  onecast_object_close(&wave);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  const int is_filled = kind == ONECAST_FILL_VALUE_USER_DEFINED && fill_value[1] == -1;
  return datasets == 1 && is_filled && is_commented && has_peaks ? 0 : 1;
}

int main(void) {
  write("look_into_c.h5");
  return read("look_into_c.h5");
}
