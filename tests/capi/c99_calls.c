// This file is compiled as pedantic C99, to show that the headers work for C programs.

#include "c99_calls.h"

#include <string.h>

#include "onecast/onecast.h"

#define CHECK(condition) \
  if (!(condition)) return #condition
#define DONE(call) CHECK((call) == ONECAST_OK)

typedef struct sample {
  float value;
  int64_t time;
} sample;

static const char* write_kinds(onecast_object* root) {
  const onecast_enumerator colours[] = {{"red", 1}, {"green", 2}};
  const uint8_t painted[2] = {2, 1};
  const int32_t numbers[3] = {7, 8, 9};
  const onecast_sequence sequences[2] = {{3, numbers}, {0, NULL}};
  const uint64_t two = 2;
  const onecast_dataspace pair = onecast_dataspace_array(1, &two);
  onecast_type* type = NULL;
  onecast_object* group = NULL;
  onecast_object* dataset = NULL;
  onecast_reference* reference = NULL;

  DONE(onecast_group_create(root, "kinds", &group));
  DONE(onecast_type_enumeration(ONECAST_UINT8, 2, colours, &type));
  DONE(onecast_dataset_create(group, "colours", type, &pair, NULL, &dataset));
  DONE(onecast_dataset_write(dataset, NULL, type, painted, sizeof painted));
  DONE(onecast_object_get_reference(dataset, &reference));
  onecast_object_close(&dataset);
  onecast_type_free(&type);

  DONE(onecast_type_sequence(ONECAST_INT32, &type));
  DONE(onecast_dataset_create(group, "sequences", type, &pair, NULL, &dataset));
  DONE(onecast_dataset_write_sequences(dataset, NULL, 2, sequences));
  onecast_object_close(&dataset);
  onecast_type_free(&type);

  {
    const onecast_reference* all[2];
    const onecast_reference* const* references = all;
    all[0] = reference;
    all[1] = NULL;
    DONE(onecast_dataset_create(group, "references", ONECAST_REFERENCE, &pair, NULL, &dataset));
    DONE(onecast_dataset_write_equal_references(dataset, NULL, 2, references));
  }
  onecast_object_close(&dataset);
  onecast_reference_free(&reference);

  {
    const double complex_numbers[4] = {1, 2, -3, 4.5};
    DONE(onecast_dataset_create(group, "complex", ONECAST_COMPLEX128, &pair, NULL, &dataset));
    DONE(onecast_dataset_write(dataset, NULL, ONECAST_COMPLEX128, complex_numbers,
                               sizeof complex_numbers));
    DONE(onecast_object_set_comment(dataset, "complex numbers"));
    DONE(onecast_type_complex(ONECAST_DOUBLE, &type));
    DONE(onecast_attribute_set(dataset, "of HDF5 2", type, &pair, complex_numbers,
                               sizeof complex_numbers));
    DONE(onecast_attribute_rename(dataset, "of HDF5 2", "also"));
    onecast_object_close(&dataset);
    onecast_type_free(&type);
  }
  {
    const unsigned char flags[2] = {0, 1};
    DONE(onecast_dataset_create(group, "flags", ONECAST_BOOL, &pair, NULL, &dataset));
    DONE(onecast_dataset_write(dataset, NULL, ONECAST_BOOL, flags, sizeof flags));
    onecast_object_close(&dataset);
  }

  DONE(onecast_type_opaque(4, "four bytes", &type));
  DONE(onecast_group_create_datatype(group, "opaque", type, NULL));
  onecast_type_free(&type);
  DONE(onecast_group_create_external_link(group, "elsewhere", "other.h5", "/x"));
  DONE(onecast_group_copy(root, group, "copied", NULL));
  onecast_object_close(&group);
  return NULL;
}

static const char* write_file(const char* path) {
  onecast_file_options options;
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* dataset = NULL;
  onecast_type* type = NULL;
  const onecast_member members[] = {ONECAST_MEMBER(sample, value, ONECAST_FLOAT),
                                    ONECAST_MEMBER(sample, time, ONECAST_INT64)};
  const sample samples[3] = {{1.5F, 10}, {2.5F, 20}, {3.5F, 30}};
  const uint64_t three = 3;
  const onecast_dataspace space = onecast_dataspace_array(1, &three);

  DONE(onecast_file_options_init(&options, sizeof options));
  options.durable = 1;
  DONE(onecast_file_create(path, &options, &file));
  DONE(onecast_file_root(file, &root));
  DONE(onecast_type_compound(sizeof(sample), 2, members, &type));
  DONE(onecast_dataset_create(root, "samples", type, &space, NULL, &dataset));
  DONE(onecast_dataset_write(dataset, NULL, type, samples, sizeof samples));
  DONE(onecast_attribute_set_text(dataset, "unit", "s"));
  onecast_type_free(&type);
  onecast_object_close(&dataset);
  CHECK(write_kinds(root) == NULL);
  onecast_object_close(&root);
  DONE(onecast_file_close(&file));
  CHECK(file == NULL && root == NULL && type == NULL);
  return NULL;
}

static const char* read_file(const char* path) {
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* dataset = NULL;
  onecast_type* only_time = NULL;
  char** texts = NULL;
  size_t count = 0;
  int64_t times[2] = {0, 0};
  const uint64_t start[1] = {1};
  const uint64_t two[1] = {2};
  const onecast_selection last = onecast_selection_box(1, start, two);
  const onecast_member time = {"time", 0, ONECAST_INT64};

  DONE(onecast_file_open(path, ONECAST_READ_ONLY, NULL, &file));
  DONE(onecast_file_root(file, &root));
  DONE(onecast_dataset_open(root, "samples", &dataset));
  DONE(onecast_type_compound(sizeof(int64_t), 1, &time, &only_time));
  DONE(onecast_dataset_read(dataset, &last, only_time, times, sizeof times));
  CHECK(times[0] == 20 && times[1] == 30);
  DONE(onecast_attribute_read_strings(dataset, "unit", &count, &texts));
  CHECK(count == 1 && strcmp(texts[0], "s") == 0);
  onecast_free(texts);
  onecast_object_close(&dataset);
  CHECK(onecast_dataset_open(root, "nothing", &dataset) == ONECAST_NOT_FOUND);
  CHECK(dataset == NULL && strstr(onecast_last_error(), "nothing") != NULL);
  onecast_type_free(&only_time);
  onecast_object_close(&root);
  DONE(onecast_file_close(&file));
  return NULL;
}

const char* c99_round_trip(const char* path) {
  const char* wrong = write_file(path);
  return wrong != NULL ? wrong : read_file(path);
}
