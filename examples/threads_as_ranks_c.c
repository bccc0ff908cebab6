// Threads of one process write a file together, in C: a communicator of functions, without MPI.

#include <errno.h>
#include <onecast/onecast.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRanks = 3, kTags = 3 };

typedef struct letter {
  struct letter* next;
  size_t size;
  unsigned char bytes[];
} letter;

// The messages between the threads, the oldest first, and the threads that cannot go on.
static letter* boxes[kRanks][kRanks][kTags];
static int failed[kRanks];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static int send_letter(void* context, int to, int tag, const void* bytes, size_t size) {
  letter* sent = malloc(sizeof(letter) + size);
  if (sent == NULL) return ENOMEM;
  sent->next = NULL;
  sent->size = size;
  memcpy(sent->bytes, bytes, size);
  pthread_mutex_lock(&mutex);
  letter** last = &boxes[*(const int*)context][to][tag];
  while (*last != NULL) last = &(*last)->next;
  *last = sent;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static int receive_letter(void* context, int from, int tag, void* bytes, size_t size) {
  pthread_mutex_lock(&mutex);
  letter** box = &boxes[from][*(const int*)context][tag];
  while (*box == NULL && !failed[from]) pthread_cond_wait(&changed, &mutex);
  letter* got = *box;
  if (got != NULL) *box = got->next;
  pthread_mutex_unlock(&mutex);
  if (got == NULL) return EPIPE;
  const int fits = got->size == size;
  if (fits) memcpy(bytes, got->bytes, size);
  free(got);
  return fits ? 0 : EMSGSIZE;
}

static void fail(void* context, const char* reason) {
  (void)reason;
  pthread_mutex_lock(&mutex);
  failed[*(const int*)context] = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void check(onecast_status status) {
  if (status == ONECAST_OK) return;
  fprintf(stderr, "%s: %s\n", onecast_status_name(status), onecast_last_error());
  exit(1);
}

static void* program(void* my_rank) {
  onecast_point_to_point functions;
  memset(&functions, 0, sizeof functions);
  functions.size = sizeof functions;
  functions.context = my_rank;
  functions.rank = *(const int*)my_rank;
  functions.ranks = kRanks;
  functions.send = send_letter;
  functions.receive = receive_letter;
  functions.fail = fail;
  functions.any_thread = 1;

  onecast_communicator* communicator = NULL;
  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* x = NULL;
  check(onecast_communicator_create(&functions, &communicator));
  check(onecast_file_create_on("threads_as_ranks_c.h5", communicator, NULL, &file));
  check(onecast_file_root(file, &root));
  const uint64_t shape = kRanks;
  const onecast_dataspace space = onecast_dataspace_array(1, &shape);
  check(onecast_dataset_create(root, "x", ONECAST_INT32, &space, NULL, &x));
  const uint64_t first = (uint64_t)functions.rank;
  const uint64_t count = 1;
  const onecast_selection part = onecast_selection_box(1, &first, &count);
  const int32_t mine = functions.rank * 10;
  check(onecast_dataset_write_all(x, &part, ONECAST_INT32, &mine, sizeof mine));
  onecast_object_close(&x);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  onecast_communicator_close(&communicator);
  return NULL;
}

int main(void) {
  pthread_t threads[kRanks];
  int ranks[kRanks];
  for (int r = 0; r < kRanks; ++r) {
    ranks[r] = r;
    if (pthread_create(&threads[r], NULL, program, &ranks[r]) != 0) return 1;
  }
  for (int r = 0; r < kRanks; ++r) pthread_join(threads[r], NULL);

  onecast_file* file = NULL;
  onecast_object* root = NULL;
  onecast_object* x = NULL;
  int32_t values[kRanks] = {0};
  check(onecast_file_open("threads_as_ranks_c.h5", ONECAST_READ_ONLY, NULL, &file));
  check(onecast_file_root(file, &root));
  check(onecast_dataset_open(root, "x", &x));
  check(onecast_dataset_read(x, NULL, ONECAST_INT32, values, sizeof values));
  onecast_object_close(&x);
  onecast_object_close(&root);
  check(onecast_file_close(&file));
  return values[0] == 0 && values[1] == 10 && values[2] == 20 ? 0 : 1;
}
