// Writes and reads a small file in C: a group, attributes, a dataset that grows, texts, structs.
// Every failure prints its reason.

#include <onecast/onecast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s: %s\n", onecast_status_name(status), onecast_last_error());
  exit(1);
}

typedef struct probe {
  double position[3];
  int32_t number;
} probe;

static void write_probes(onecast_object* group) {
  const uint32_t three = 3;
  onecast_type* position = NULL;
  check(onecast_type_array(ONECAST_DOUBLE, 1, &three, &position));
  const onecast_member members[] = {ONECAST_MEMBER(probe, position, position),
                                    ONECAST_MEMBER(probe, number, ONECAST_INT32)};
  onecast_type* type = NULL;
  check(onecast_type_compound(sizeof(probe), 2, members, &type));

  const probe probes[2] = {{{0.0, 0.5, 1.0}, 7}, {{2.0, 2.5, 3.0}, 8}};
  const uint64_t count = 2;
  const onecast_dataspace space = onecast_dataspace_array(1, &count);
  onecast_object* dataset = NULL;
  check(onecast_dataset_create(group, "probes", type, &space, NULL, &dataset));
  check(onecast_dataset_write(dataset, NULL, type, probes, sizeof probes));

  onecast_object_close(&dataset);
  onecast_type_free(&type);
  onecast_type_free(&position);
}

static void write(const char* path) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* zone = NULL;
  check(onecast_file_create(path, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_group_create(root, "base/zone 1", &zone));
  check(onecast_attribute_set_text(zone, "family", "wing"));
  const double mach = 0.84;
  check(onecast_attribute_set(zone, "mach", ONECAST_DOUBLE, NULL, &mach, sizeof mach));

  // A compressed table whose rows grow.
  const uint64_t shape[2] = {2, 3};
  const uint64_t most[2] = {ONECAST_UNLIMITED, 3};
  const uint64_t chunk[2] = {64, 3};
  const onecast_filter filters[] = {onecast_filter_shuffle(), onecast_filter_deflate(6)};
  const onecast_dataspace space = onecast_dataspace_growing(2, shape, most);
  onecast_dataset_options options;
  check(onecast_dataset_options_init(&options, sizeof options));
  options.chunk = chunk;
  options.filters = filters;
  options.filter_count = 2;
  onecast_object* table = NULL;
  check(onecast_dataset_create(zone, "table", ONECAST_DOUBLE, &space, &options, &table));
  const double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  check(onecast_dataset_write(table, NULL, ONECAST_DOUBLE, rows, sizeof rows));

  const uint64_t larger[2] = {3, 3};
  const uint64_t start[2] = {2, 0};
  const uint64_t count[2] = {1, 3};
  const int32_t row[3] = {7, 8, 9};  // converted to the stored type
  const onecast_selection last = onecast_selection_box(2, start, count);
  check(onecast_dataset_resize(table, 2, larger));
  check(onecast_dataset_write(table, &last, ONECAST_INT32, row, sizeof row));

  // Texts of any length.
  const char* const texts[] = {"ρ", "velocity", ""};
  const uint64_t three = 3;
  const onecast_dataspace names = onecast_dataspace_array(1, &three);
  onecast_object* variables = NULL;
  check(onecast_dataset_create(zone, "variables", ONECAST_STRING, &names, NULL, &variables));
  check(onecast_dataset_write_strings(variables, NULL, 3, texts));

  write_probes(zone);
  check(onecast_group_create_soft_link(root, "the zone", "/base/zone 1"));

  onecast_object_close(&variables);
  onecast_object_close(&table);
  onecast_object_close(&zone);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
}

static int read(const char* path) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* zone = NULL;
  onecast_object* table = NULL;
  check(onecast_file_open(path, ONECAST_READ_ONLY, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_group_open(root, "the zone", &zone));

  size_t count = 0;
  onecast_link* links = NULL;
  check(onecast_group_list(zone, ONECAST_ORDER_STORED, &count, &links));
  for (size_t i = 0; i < count; ++i) printf("%s\n", links[i].name);
  onecast_free(links);

  onecast_dataspace space;
  check(onecast_dataset_open(zone, "table", &table));
  check(onecast_dataset_get_space(table, &space));
  double* values = malloc(sizeof(double) * space.shape[0] * space.shape[1]);
  if (values == NULL) return 1;
  check(onecast_dataset_read(table, NULL, ONECAST_DOUBLE, values,
                             sizeof(double) * space.shape[0] * space.shape[1]));
  const int right = space.shape[0] == 3 && values[8] == 9;
  free(values);

  char** texts = NULL;
  onecast_object* variables = NULL;
  check(onecast_dataset_open(zone, "variables", &variables));
  check(onecast_dataset_read_strings(variables, NULL, &count, &texts));
  const int named = count == 3 && strcmp(texts[1], "velocity") == 0;
  onecast_free(texts);

  onecast_object_close(&variables);
  onecast_object_close(&table);
  onecast_object_close(&zone);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  return right && named ? 0 : 1;
}

int main(void) {
  write("c_example.h5");
  return read("c_example.h5");
}
