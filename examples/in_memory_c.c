// Keeps an HDF5 file in memory, in C: functions of the program take the place of a path.

#include <errno.h>
#include <onecast/onecast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
  unsigned char* bytes;
  size_t size;
} buffer;

static int resize(void* context, uint64_t size) {
  buffer* all = context;
  unsigned char* bytes = realloc(all->bytes, size != 0 ? size : 1);
  if (bytes == NULL) return ENOMEM;
  if (size > all->size) memset(bytes + all->size, 0, size - all->size);
  all->bytes = bytes;
  all->size = size;
  return 0;
}

static int read_at(void* context, uint64_t offset, void* out, size_t size, size_t* got) {
  const buffer* all = context;
  const size_t rest = offset < all->size ? all->size - offset : 0;
  *got = size < rest ? size : rest;
  if (*got != 0) memcpy(out, all->bytes + offset, *got);
  return 0;
}

static int write_at(void* context, uint64_t offset, const void* bytes, size_t size) {
  buffer* all = context;
  const int failed = offset + size > all->size ? resize(all, offset + size) : 0;
  if (failed == 0) memcpy(all->bytes + offset, bytes, size);
  return failed;
}

static int get_size(void* context, uint64_t* size) {
  *size = ((const buffer*)context)->size;
  return 0;
}

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s: %s\n", onecast_status_name(status), onecast_last_error());
  exit(1);
}

int main(void) {
  buffer memory = {NULL, 0};
  onecast_random_access_file functions;
  memset(&functions, 0, sizeof functions);
  functions.size = sizeof functions;
  functions.context = &memory;
  functions.name = "<buffer>";
  functions.read_at = read_at;
  functions.write_at = write_at;
  functions.get_size = get_size;
  functions.truncate = resize;

  onecast_file* file = NULL;
  onecast_object* root = NULL;
  check(onecast_file_create_in(&functions, NULL, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_attribute_set_text(root, "family", "wing"));
  onecast_object_close(&root);
  check(onecast_file_close(&file));

  int has_it = 0;
  check(onecast_file_open_in(&functions, ONECAST_READ_ONLY, NULL, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_attribute_exists(root, "family", &has_it));
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  free(memory.bytes);
  return has_it ? 0 : 1;
}
